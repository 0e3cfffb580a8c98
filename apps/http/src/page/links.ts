/** The address when it is one an image may be loaded from: https only. Null for anything else. */
export const imageUrl = (text: string): string | null => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' ? url.href : null
}

/** The URI when it opens a Stellar wallet and nothing else. Source: SEP-7. */
export const walletUri = (text: string): string | null => (text.startsWith('web+stellar:') ? text : null)
