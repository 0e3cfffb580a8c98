import { walletSteps } from './browser/wallet/steps.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import { momentFor } from './reader.ts'

/** The button of the sandbox's wallet and its steps; null outside the sandbox. */
export const sandboxWallet = (page: CheckoutPage, label: string): Html | null =>
  page.isSandbox && page.sandbox !== null
    ? html`<section class="sandbox" hidden data-script-only aria-label="${page.reader.words.pay.sandboxWallet}">
<button type="button" class="button" id="pay-with-sandbox-wallet" data-testid="pay-with-sandbox-wallet">${label}</button>
<ol class="steps" id="sandbox-steps" data-testid="sandbox-steps" hidden>
${walletSteps.map((step) => html`<li data-step="${step}">${page.reader.wallet.sandboxSteps[step]}</li>`)}
</ol>
<p class="visually-hidden" id="sandbox-progress" role="status"></p>
<p class="problem" id="sandbox-error" data-testid="sandbox-error" role="alert" hidden></p>
</section>`
    : null

/** Replaces the amount while there is none. */
export const noQuote = ({ isPaused, reader: { words } }: CheckoutPage): Html => {
  const { paused, noRate, tryAgain } = words.checkout
  return html`<p class="notice" id="no-quote" data-testid="no-quote">${isPaused ? paused : noRate} <a href="">${tryAgain}</a></p>`
}

/** The text of a page that no checkout led to. */
export const lead = ({ kind, reader: { words } }: CheckoutPage): Html | null =>
  kind === 'payment' || kind === 'subscription'
    ? null
    : html`<p class="notice" data-testid="lead">${words.checkout[kind]}</p>`

/** The deadline of the session; null when it has none. */
export const deadline = ({ kind, expiresAt, reader }: CheckoutPage): Html | null =>
  kind === 'invoice' || kind === 'authorization'
    ? null
    : html`<p class="quiet deadline">${reader.words.checkout.openUntil} <time id="deadline" data-testid="deadline" datetime="${expiresAt}">${momentFor(reader, expiresAt)}</time></p>`
