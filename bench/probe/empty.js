// An extension that does nothing: what activation costs of itself.
exports.activate = () => {};
