import { html } from './html.ts'
import { documentOf } from './layout.ts'

/** Where a newcomer to the service goes on. */
export const startLinks = {
  quickstart: '/quickstart',
  reference: '/docs',
  openapi: '/openapi.json',
  dashboard: '/dashboard',
  health: '/health',
  ready: '/ready',
} as const

/** The page at the address of the service, for those who do not know what it is. It shows nothing of any merchant. */
export const renderStartPage = ({ isSandbox }: { readonly isSandbox: boolean }): string => {
  const key = isSandbox
    ? html`In the sandbox, the start of the service prints one and writes it to <code>sandbox.json</code> in its data directory.`
    : html`The operator of this service creates it for you.`
  return documentOf(
    'Quittance',
    html`<main class="page page-narrow">
<section class="card start" data-testid="start">
<h1>Quittance</h1>
<p>A billing service for payments that settle on the Stellar network. Merchants sell products and subscriptions, customers pay from their own wallets, and access checks show who is entitled to what.</p>
${isSandbox ? html`<p class="quiet" data-testid="start-sandbox">This one has a sandbox: a Stellar network of its own, with test money.</p>` : null}
<p><a href="${startLinks.dashboard}" data-testid="start-dashboard">Open the dashboard</a> to sell products and subscriptions, and to see payments.</p>
<h2>For developers</h2>
<dl>
<div><dt><a href="${startLinks.quickstart}" data-testid="start-quickstart">Quickstart</a></dt>
<dd>A first sale with <code>curl</code>, from a product to a confirmed payment.</dd></div>
<div><dt><a href="${startLinks.reference}" data-testid="start-reference">Reference</a></dt>
<dd>Every route, with its fields, errors and examples. For programs: <a href="${startLinks.openapi}" data-testid="start-openapi">OpenAPI 3.1</a>.</dd></div>
</dl>
<p>Requests carry an API key in the header <code>x-api-key</code>. ${key}</p>
<h2>For operators</h2>
<p><code>npx quittance --help</code>, in the directory of the service, lists the commands that create merchants and keys and look after them. <a href="${startLinks.health}" data-testid="start-health">Health</a> and <a href="${startLinks.ready}" data-testid="start-ready">readiness</a> show the state of the service.</p>
<h2>To pay</h2>
<p>Please open the link that the merchant gave you.</p>
</section>
</main>`,
    { hasScript: false },
  )
}
