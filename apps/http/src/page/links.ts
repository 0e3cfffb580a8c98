/** The address, if images may be loaded from it: https only; otherwise null. */
export const imageUrl = (text: string): string | null => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' ? url.href : null
}

/** The URI, if it opens a Stellar wallet; otherwise null. Source: SEP-7. */
export const walletUri = (text: string): string | null => (text.startsWith('web+stellar:') ? text : null)
