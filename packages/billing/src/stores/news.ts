/** Tells whoever listens, in this process, what was written: at once, and before they would look for it by themselves. */
export interface News {
  /** `stream`: what was appended to. */
  readonly tell: (stream: string) => void
  /** Returns what ends the listening. */
  readonly listen: (listener: (stream: string) => void) => () => void
}

export const openNews = (): News => {
  const listeners = new Set<(stream: string) => void>()
  return {
    tell: (stream) => {
      for (const listener of listeners) listener(stream)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
