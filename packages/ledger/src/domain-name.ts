/**
 * Whether a text is a fully qualified domain name: at least two labels of letters, digits and inner hyphens, the last
 * of which begins with a letter. So no address in any spelling (`127.1`, `0x7f.1`, `[::1]`), no port, path or user, nor
 * a name that only means something on the machine itself, such as `localhost`.
 */
export const isDomainName = (text: string): boolean =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)

/**
 * The domain that can speak for what a web address serves; null unless it is https on its usual port, at the root, as
 * `/.well-known` is then served as well.
 */
export const originDomainOf = (url: string): string | null => {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, port, pathname } = new URL(url)
  return protocol === 'https:' && port === '' && pathname === '/' && isDomainName(hostname) ? hostname : null
}
