import { createApi } from './api.ts'
import { enableCopyButtons } from './copy.js'
import { byId, show } from './dom.js'
import { followStatus } from './live.ts'
import { readMandate } from './mandate.ts'
import { offerAssetsOfAccount, offerAssetsOfWallet } from './other-assets.js'
import { enableOwnWallet } from './own-wallet.js'
import { keepQuote } from './quote.js'
import { returnToMerchant } from './returning.js'
import { enableSandboxWallet } from './sandbox.js'
import { words } from './script-words.ts'
import { askForSignature, askWhoSubscribes } from './subscribe.js'
import { createServerClock } from './time.ts'
import { showDeadline, showStatus } from './view.js'

/** @import { Status } from './wire.ts' */
/** @import { PageKind } from './words.ts' */
/** @import { SandboxData } from './sandbox.js' */
/** @import { OwnWalletData } from './wallet/own/panel.js' */

/**
 * @typedef {object} CheckoutData
 * @property {string} checkoutId
 * @property {Status['status']} status
 * @property {string} now
 * @property {string | null} redirectUrl
 * @property {string} merchantName
 * @property {string} assetCode
 * @property {string} assetId
 * @property {string | null} amountReceived
 * @property {boolean} hasQuote
 * @property {PageKind} kind
 * @property {unknown} mandate
 * @property {SandboxData | null} sandbox
 * @property {OwnWalletData | null} ownWallet
 */

const LEDGER_TIME_EVERY_MS = 15_000

/** @type {CheckoutData} */
const checkout = JSON.parse(byId('checkout-data')?.textContent ?? '')
const route = `/pay/${encodeURIComponent(checkout.checkoutId)}`
const clock = createServerClock(Date.now)
clock.learn(Date.parse(checkout.now))
const api = createApi(checkout.checkoutId, fetch, clock.learn)

const fetchQr = async () => {
  if (byId('qr') === null) return null
  const answer = await fetch(`${route}/qr.svg`, { cache: 'no-store' })
  if (!answer.ok) throw new Error(words.noQr)
  return answer.text()
}

const quotes = keepQuote({ api, clock, fetchQr, hasQuote: checkout.hasQuote })
let shown = checkout.status
let received = checkout.amountReceived

/** @param {Status} status */
const onStatus = (status) => {
  showStatus(status, checkout)
  // The amount due changed, and with it the QR code and the wallet link.
  if (status.status === 'open' && received !== null && status.amountReceived !== received) void quotes.tryToRenew()
  received = status.amountReceived
  shown = status.status
  if (status.status === 'completed')
    returnToMerchant({ ...checkout, redirectUrl: status.redirectUrl ?? checkout.redirectUrl })
}

const { refresh } = followStatus({
  openEvents: (onMessage) => {
    const events = new EventSource(`${route}/events`)
    events.addEventListener('message', ({ data }) => onMessage(String(data)))
    return { isOpen: () => events.readyState === EventSource.OPEN, close: () => events.close() }
  },
  fetchStatus: () => api.get('/status'),
  schedule: (action, afterMs) => setTimeout(action, afterMs),
  onStatus,
  onConnection: (isConnected) => show('connection', !isConnected),
})

const tick = () => {
  if (shown !== 'open') return
  quotes.tick()
  showDeadline('deadline', clock.now(), words.sessionOver)
}

enableCopyButtons()
for (const element of document.querySelectorAll('[data-script-only]')) element.toggleAttribute('hidden', false)
for (const image of document.querySelectorAll('.images img')) {
  image.addEventListener('error', () => image.remove())
  if (image instanceof HTMLImageElement && image.complete && image.naturalWidth === 0) image.remove()
}
if (checkout.sandbox !== null) {
  const { ledgerTime, ...wallet } = enableSandboxWallet(checkout.sandbox, api, quotes.renew)
  offerAssetsOfWallet(api, checkout.assetId, wallet)
  const learnTime = () => void ledgerTime().then(clock.learn, () => {})
  learnTime()
  setInterval(learnTime, LEDGER_TIME_EVERY_MS)
} else {
  const payFrom =
    checkout.ownWallet === null ? async () => false : enableOwnWallet(checkout.ownWallet, api, quotes.renew)
  offerAssetsOfAccount(api, checkout.assetId, payFrom)
  askForSignature(api, readMandate(checkout.mandate))
}
askWhoSubscribes(api)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh()
})
tick()
setInterval(tick, 1_000)
