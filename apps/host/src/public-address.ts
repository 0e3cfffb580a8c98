/** Where payers reach the service. */
export type PublicAddress = {
  readonly url: () => string
  /** Tells where the service listens, which is its address unless the configuration names one. */
  readonly listensAt: (url: string) => void
}

export const publicAddress = (configured: string | null, untilItListens: string): PublicAddress => {
  let url = configured ?? untilItListens
  return {
    url: () => url,
    listensAt: (address) => {
      url = configured ?? address
    },
  }
}
