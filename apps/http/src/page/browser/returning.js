import { show, write } from './dom.js'
import { returnUrl } from './redirect.ts'
import { words } from './script-words.ts'

const SECONDS = 5

/**
 * Takes the payer back to the merchant after a moment in which the paid state can be seen. Once in a browser tab: who
 * comes back with the back button is not sent away again.
 * @param {{ checkoutId: string, merchantName: string, redirectUrl: string | null }} checkout
 */
export const returnToMerchant = ({ checkoutId, merchantName, redirectUrl }) => {
  const target = redirectUrl === null ? null : returnUrl(redirectUrl, checkoutId)
  if (target === null || hasReturned(checkoutId)) return
  let left = SECONDS
  const countDown = () => {
    write('return-countdown', words.returning(merchantName, left))
    if (left === 0) {
      clearInterval(timer)
      rememberReturn(checkoutId)
      location.assign(target)
    }
    left -= 1
  }
  show('return-countdown', true)
  const timer = setInterval(countDown, 1_000)
  countDown()
}

/** @param {string} checkoutId */
const slot = (checkoutId) => `quittance.returned.${checkoutId}`

/** @param {string} checkoutId */
const hasReturned = (checkoutId) => {
  try {
    return sessionStorage.getItem(slot(checkoutId)) !== null
  } catch {
    return false
  }
}

/** @param {string} checkoutId */
const rememberReturn = (checkoutId) => {
  try {
    sessionStorage.setItem(slot(checkoutId), 'yes')
  } catch {
    // The browser stores nothing: the payer may be taken back twice, which does no harm.
  }
}
