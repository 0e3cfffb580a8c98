/**
 * Where the payer goes after paying: the merchant's address with `checkout_id` appended and its own query kept as it
 * was written. Null unless the address is http or https, so that no script can be reached through it.
 */
export const returnUrl = (redirectUrl: string, checkoutId: string): string | null => {
  if (!URL.canParse(redirectUrl)) return null
  const url = new URL(redirectUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const parameter = `checkout_id=${encodeURIComponent(checkoutId)}`
  url.search = url.search === '' ? `?${parameter}` : `${url.search}&${parameter}`
  return url.href
}
