import { hexOf, sha256 } from '../../network.ts'

/** A contract's function in bytes. Parameters and results, also of imports, are 64-bit. */
export type AssembledFunction = { readonly takes: number; readonly body: ReadonlyArray<number> }

/** Imported host functions with their number of arguments, in index order. */
export type Imports = ReadonlyArray<readonly [path: string, takes: number]>

const i64 = 0x7e
const sized = (bytes: ReadonlyArray<number>): number[] => [...unsigned(bytes.length), ...bytes]
const vector = (items: ReadonlyArray<ReadonlyArray<number>>): number[] => [...unsigned(items.length), ...items.flat()]
const text = (letters: string): number[] => sized([...Buffer.from(letters)])
const section = (id: number, content: ReadonlyArray<number>): number[] => [id, ...sized(content)]
const functionType = (takes: number): number[] => [0x60, ...vector(Array.from({ length: takes }, () => [i64])), 1, i64]

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(Math.floor(value / 0x80))]

const signed = (value: bigint): number[] =>
  value >= -64n && value < 64n ? [Number(value & 0x7fn)] : [Number(value & 0x7fn) | 0x80, ...signed(value >> 7n)]

export const constant = (value: bigint): number[] => [0x42, ...signed(BigInt.asIntN(64, value))]
export const argument = (place: number): number[] => [0x20, ...unsigned(place)]
export const callOfImport = (place: number): number[] => [0x10, ...unsigned(place)]
export const dropped = [0x1a]
export const unreachable = [0x00]
/** Reads 8 bytes of memory at a constant address. */
export const load = (place: number): number[] => [0x41, ...signed(BigInt(place)), 0x29, 0, 0]

/** Assembles a module with one page of memory. */
export const assembled = (imports: Imports, functions: Readonly<Record<string, AssembledFunction>>): Uint8Array => {
  const own = Object.entries(functions)
  const arities = [...imports.map(([, takes]) => takes), ...own.map(([, { takes }]) => takes)]
  const types = vector(arities.map(functionType))
  const imported = imports.map(([path], place) => {
    const [group = '', name = ''] = path.split('.')
    return [...text(group), ...text(name), 0, ...unsigned(place)]
  })
  const declared = own.map((_, place) => unsigned(imports.length + place))
  const exported = own.map(([name], place) => [...text(name), 0, ...unsigned(imports.length + place)])
  const bodies = own.map(([, { body }]) => sized([0, ...body, 0x0b]))
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, vector(imported)),
    ...section(3, vector(declared)),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([...exported, [...text('memory'), 2, 0]])),
    ...section(10, vector(bodies)),
  ])
}

export const hashOf = (code: Uint8Array): string => hexOf(sha256(code))
