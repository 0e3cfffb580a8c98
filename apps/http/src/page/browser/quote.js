import { Refused } from './api.ts'
import { show, write } from './dom.js'
import { words } from './script-words.ts'
import { showDeadline, showQuote } from './view.js'
import { readQuote } from './wire.ts'

/** @import { Api } from './api.ts' */
/** @import { ServerClock } from './time.ts' */
/** @import { PageQuote } from './wire.ts' */

const RETRY_AFTER_MS = 10_000

/**
 * Keeps the price on the page one that is still held. `renew` asks for the price as it is now, shows it and answers
 * it; `tick` counts down, and renews at the end.
 * @param {{ api: Api, clock: ServerClock, fetchQr: () => Promise<string | null>, hasQuote: boolean }} ports
 */
export const keepQuote = ({ api, clock, fetchQr, hasQuote }) => {
  let nextTryAt = 0

  /** @returns {Promise<PageQuote>} */
  const renew = async () => {
    nextTryAt = performance.now() + RETRY_AFTER_MS
    const quote = readQuote(await api.get('/quote'))
    if (quote === null) throw new Refused(words.noPriceNow)
    if (!hasQuote) location.reload()
    showQuote(quote, await fetchQr())
    show('quote-problem', false)
    return quote
  }

  const tryToRenew = async () => {
    try {
      await renew()
    } catch (cause) {
      if (!hasQuote) return
      write('quote-problem', words.notRenewed(cause instanceof Error ? cause.message : ''))
      show('quote-problem', true)
    }
  }

  const tick = () => {
    const left = hasQuote ? showDeadline('quote-end', clock.now(), words.quoteOver) : 0
    if (left <= 0 && performance.now() >= nextTryAt) void tryToRenew()
  }

  return { renew, tryToRenew, tick }
}
