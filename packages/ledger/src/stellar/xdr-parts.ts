import { xdr } from '@stellar/stellar-sdk'

type Reader = Parameters<xdr.XdrType<unknown>['_read']>[0]

type Type<Wire, A extends xdr.XdrValue> = xdr.XdrValueConstructor<Wire, A>

/** A value that was read, and its bytes. */
export type Standing<A> = { readonly value: A; readonly bytes: Uint8Array }

/** Reads consecutive XDR values from bytes, one for each call. Throws on anything malformed. */
export class XdrParts {
  readonly #reader: Reader
  readonly #bytes: Uint8Array

  constructor(reader: Reader, bytes: Uint8Array) {
    this.#reader = reader
    this.#bytes = bytes
  }

  /** A length or a version. */
  uint32(): number {
    return this.#reader.readUint32('uint32')
  }

  uint64(): bigint {
    return this.#reader.readBigUint64('uint64')
  }

  one<Wire, A extends xdr.XdrValue>(type: Type<Wire, A>): A {
    return type.fromXdrObject(type.schema._read(this.#reader, type.name))
  }

  array<A>(read: () => A): ReadonlyArray<A> {
    const found: Array<A> = []
    for (let left = this.uint32(); left > 0; left--) found.push(read())
    return found
  }

  arrayOf<Wire, A extends xdr.XdrValue>(type: Type<Wire, A>): ReadonlyArray<A> {
    return this.array(() => this.one(type))
  }

  /** All bytes that are left. */
  rest(): Uint8Array {
    const from = this.#reader.offset
    this.#reader.readBytes(this.#reader.remaining, 'the rest')
    return this.#bytes.subarray(from)
  }

  standing<A>(read: () => A): Standing<A> {
    const from = this.#reader.offset
    const value = read()
    return { value, bytes: this.#bytes.subarray(from, this.#reader.offset) }
  }
}

class InParts<A> extends xdr.BaseType<A> {
  readonly kind = 'parts'
  readonly #read: (reader: Reader) => A

  constructor(read: (reader: Reader) => A) {
    super()
    this.#read = read
  }

  _read(reader: Reader): A {
    return this.#read(reader)
  }

  _write(): never {
    throw new Error('parts are only read')
  }
}

/**
 * A ledger adds levels of nesting around each transaction. So it needs more than the 1,500 in which a transaction alone can be
 * decoded: otherwise a stranger could send one that makes its whole ledger unreadable.
 */
const deepest = 2_000

/**
 * Reads bytes part by part, so that each part can become garbage before the next is read: engines copy live objects
 * again and again, so this saves most of the time for large values.
 * Throws on anything malformed, and where bytes are left over.
 */
export const readInParts = <A>(bytes: Uint8Array, read: (parts: XdrParts) => A): A =>
  new InParts((reader) => read(new XdrParts(reader, bytes))).decode(bytes, { maxDepth: deepest })
