/** Whether a text may name a key: not empty, no Unicode spaces, no plus, no control characters. Source: c2sp.org/signed-note. */
export const isKeyName = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  text !== '' && text.isWellFormed() && !/[\p{White_Space}+\u0000-\u001f]/u.test(text)
