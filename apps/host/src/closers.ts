/** Functions that close what is open, in the order of opening. */
export type Closers = Array<() => void | Promise<void>>

/** Answers the resource, which is closed with the others. */
export const closedLater = <A extends { readonly close: () => void | Promise<void> }>(
  closers: Closers,
  opened: A,
): A => {
  closers.push(opened.close)
  return opened
}

export const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close()
}
