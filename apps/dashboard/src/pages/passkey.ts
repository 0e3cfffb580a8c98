/** What the browser answers for a passkey; null when the person declines, or has none. */
export const passkeyFrom = async <A>(ask: () => Promise<A>): Promise<A | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name))
      return null
    throw error
  }
}
