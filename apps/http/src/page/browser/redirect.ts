/**
 * The merchant's address after payment, with `checkout_id` in place of any that it has and the rest of its query as
 * written. Null unless it is http or https, so that no script can run.
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
