/** The address that payers use. */
export type PublicAddress = {
  readonly url: () => string
  /** Sets the address that the service listens on, which counts unless another one is configured. */
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
