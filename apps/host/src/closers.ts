/** What has to be closed again, in the order in which it was opened. */
export type Closers = Array<() => void | Promise<void>>

/** Closes in reverse order, each once. */
export const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close()
}
