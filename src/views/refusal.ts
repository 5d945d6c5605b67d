// What a view refuses, as a sentence that a person reads as it is.

export class Refusal extends Error {
  override readonly name = 'Refusal';
}
