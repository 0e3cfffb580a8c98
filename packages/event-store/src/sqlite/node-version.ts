/** The version of Node's native interface that the driver is compiled for: of Node 22.14, 23.6 and all from 24 on. */
const nativeInterface = 10

/** Throws where Node.js is too old for SQLite's driver, whose native code would end the process without a word. */
export const assertNodeRunsSqlite = (
  { node, napi }: { readonly node: string; readonly napi?: string } = process.versions,
): void => {
  if (Number(napi) >= nativeInterface) return
  throw new Error(`The SQLite event store needs Node 22 or later (22.14 at least); this is ${node}`)
}
