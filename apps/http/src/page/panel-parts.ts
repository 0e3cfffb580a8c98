import { en } from './browser/wallet/messages/en.ts'
import { walletSteps } from './browser/wallet/steps.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A time before the script formats it. */
export const moment = (iso: string): string => {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? iso : `${utc.format(at)} UTC`
}

/** The button of the sandbox's wallet and its steps; null outside the sandbox. */
export const sandboxWallet = (page: CheckoutPage, label: string): Html | null =>
  page.isSandbox && page.sandbox !== null
    ? html`<section class="sandbox" hidden data-script-only aria-label="Sandbox wallet">
<button type="button" class="button" id="pay-with-sandbox-wallet" data-testid="pay-with-sandbox-wallet">${label}</button>
<ol class="steps" id="sandbox-steps" data-testid="sandbox-steps" hidden>
${walletSteps.map((step) => html`<li data-step="${step}">${en.sandboxSteps[step]}</li>`)}
</ol>
<p class="visually-hidden" id="sandbox-progress" role="status"></p>
<p class="problem" id="sandbox-error" data-testid="sandbox-error" role="alert" hidden></p>
</section>`
    : null

/** Replaces the amount while there is none. */
export const noQuote = ({ isPaused }: CheckoutPage): Html =>
  isPaused
    ? html`<p class="notice" id="no-quote" data-testid="no-quote">Payments are paused at the moment. Nothing was taken from you. <a href="">Try again</a></p>`
    : html`<p class="notice" id="no-quote" data-testid="no-quote">There is no reliable exchange rate at the moment, so no price can be quoted. This usually passes within minutes. <a href="">Try again</a></p>`

/** The text of a page that no checkout led to. */
export const lead = ({ kind }: CheckoutPage): Html | null => {
  switch (kind) {
    case 'payment':
    case 'subscription':
      return null
    case 'invoice':
      return html`<p class="notice" data-testid="lead">A payment for your subscription could not be collected. Pay it here, from any wallet, and the subscription goes on.</p>`
    case 'authorization':
      return html`<p class="notice" data-testid="lead">Your wallet has to agree before more can be collected for your subscription.</p>`
  }
}

/** The deadline of the session; null when it has none. */
export const deadline = ({ kind, expiresAt }: CheckoutPage): Html | null =>
  kind === 'invoice' || kind === 'authorization'
    ? null
    : html`<p class="quiet deadline">Open until <time id="deadline" data-testid="deadline" datetime="${expiresAt}">${moment(expiresAt)}</time></p>`
