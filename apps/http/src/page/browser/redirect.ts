/**
 * Where the payer goes after paying: the merchant's address with `checkout_id` appended in place of any that it has,
 * and the rest of its own query kept as it was written. Null unless the address is http or https, so that no script can be reached through it.
 */
export const returnUrl = (redirectUrl: string, checkoutId: string): string | null => {
  if (!URL.canParse(redirectUrl)) return null
  const url = new URL(redirectUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const own = url.search === '' ? [] : url.search.slice(1).split('&')
  const kept = own.filter((parameter) => !new URLSearchParams(`&${parameter}`).has('checkout_id'))
  url.search = [...kept, `checkout_id=${encodeURIComponent(checkoutId)}`].join('&')
  return url.href
}
