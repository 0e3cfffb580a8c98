/** What a piece of work gives within some milliseconds; null if it takes longer. Then nobody waits for it any more. */
export const within = <A>(ms: number, work: Promise<A>): Promise<A | null> =>
  Promise.race([work, new Promise<null>((resolve) => setTimeout(() => resolve(null), ms).unref())])
