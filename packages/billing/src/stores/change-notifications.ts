/** Notifies listeners in this process of each append, before they would look for it by themselves. */
export interface ChangeNotifications {
  readonly notify: (stream: string) => void
  /** Returns a function that ends the listening. */
  readonly listen: (listener: (stream: string) => void) => () => void
}

export const openChangeNotifications = (): ChangeNotifications => {
  const listeners = new Set<(stream: string) => void>()
  return {
    notify: (stream) => {
      for (const listener of listeners) listener(stream)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
