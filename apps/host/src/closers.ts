/** Functions that close what is open, in the order of opening. */
export type Closers = Array<() => void | Promise<void>>

export const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close()
}
