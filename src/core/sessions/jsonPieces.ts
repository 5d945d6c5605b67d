// A JSON value that comes in pieces and is too large to be held: handed over as it comes, kept as far as a shape wants it.
// Loaded when such a value is met. A value that breaks off gives what of it was whole: an item of a list is there when it has
// ended, and not before.

import { isUtf8 } from 'node:buffer';
import Tokenizer from '@streamparser/json/tokenizer.js';
import TokenType from '@streamparser/json/utils/types/tokenType.js';
import type { JsonObject } from './json';
import { bounded, type Shape, shapeOf } from './jsonShape';

export interface Picked {
  /** `undefined` when not even its beginning was there. */
  readonly value: unknown;
  /** It was there to its end. */
  readonly isWhole: boolean;
}

export interface PieceReader {
  /** Work in proportion to the piece: let others have their turn between two of them. */
  write(piece: Buffer): void;
  end(): Picked;
}

interface Frame {
  readonly value: unknown[] | Record<string, unknown>;
  readonly shape: Shape;
  field: string | undefined;
}

/** The tokenizer collects a text in steps of this many bytes. */
const textStep = 64 * 1024;

export function createPieceReader(shape: Shape): PieceReader {
  const tokenizer = new Tokenizer({ stringBufferSize: textStep });
  const frames: Frame[] = [];
  let root: unknown;
  let skipped = 0;
  let isWhole = false;
  let isBroken = false;

  const wanted = (frame: Frame): Shape | undefined => {
    if (Array.isArray(frame.value)) return shapeOf(frame.shape, '*');
    return frame.field === undefined ? undefined : shapeOf(frame.shape, frame.field, frame.value as JsonObject);
  };

  const put = (frame: Frame, value: unknown): void => {
    if (Array.isArray(frame.value)) frame.value.push(value);
    else if (frame.field !== undefined) frame.value[frame.field] = value;
  };

  function open(value: Frame['value']): void {
    const above = frames.at(-1);
    const own = above ? wanted(above) : shape;
    if (own === undefined) {
      skipped = 1;
      return;
    }
    if (!above) root = value;
    else if (!Array.isArray(above.value)) put(above, value);
    frames.push({ value, shape: own, field: undefined });
  }

  function close(): void {
    const done = frames.pop();
    const above = frames.at(-1);
    if (above && done && Array.isArray(above.value)) put(above, done.value);
    if (above) above.field = undefined;
    else isWhole = true;
  }

  function scalar(value: unknown): void {
    const frame = frames.at(-1);
    if (!frame) {
      root = typeof value === 'string' ? bounded(value, shape) : value;
      isWhole = true;
      return;
    }
    if (!Array.isArray(frame.value) && frame.field === undefined) {
      if (typeof value === 'string') frame.field = value;
      return;
    }
    const own = wanted(frame);
    if (own !== undefined) put(frame, typeof value === 'string' ? bounded(value, own) : value);
    else if (Array.isArray(frame.value)) frame.value.push(null);
    frame.field = undefined;
  }

  function skip(token: TokenType): void {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) skipped += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) skipped -= 1;
    if (skipped > 0) return;
    const frame = frames.at(-1);
    if (!frame) return;
    if (Array.isArray(frame.value)) frame.value.push(null);
    frame.field = undefined;
  }

  tokenizer.onError = () => {
    isBroken = true;
  };
  tokenizer.onToken = ({ token, value }) => {
    // What follows the value's end on the same line is not ours.
    if (isWhole) return;
    if (skipped > 0) {
      skip(token);
      return;
    }
    switch (token) {
      case TokenType.LEFT_BRACE:
        open({});
        break;
      case TokenType.LEFT_BRACKET:
        open([]);
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        close();
        break;
      case TokenType.COLON:
      case TokenType.COMMA:
      case TokenType.SEPARATOR:
        break;
      default:
        scalar(value);
    }
  };

  return {
    write(piece) {
      if (isBroken || isWhole) return;
      try {
        tokenizer.write(validText(piece));
      } catch {
        isBroken = true;
      }
    },
    end: () => ({ value: root, isWhole }),
  };
}

/** The tokenizer gives up at a byte that is no UTF-8; a text with a damaged letter is still a text. */
function validText(piece: Buffer): Buffer {
  const isContinuation = (at: number): boolean => ((piece[at] ?? 0) & 0xc0) === 0x80;
  let from = 0;
  while (from < 3 && from < piece.length && isContinuation(from)) from += 1;
  let to = piece.length;
  // A letter that goes on in the next piece: at most three of its bytes are here.
  for (let back = 1; back <= 3 && back <= piece.length - from; back += 1) {
    const byte = piece[piece.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte >= 0xc0) to = piece.length - back;
    break;
  }
  return isUtf8(piece.subarray(from, to)) ? piece : Buffer.from(piece.toString('utf8'));
}
