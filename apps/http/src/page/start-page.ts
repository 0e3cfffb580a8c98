import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import type { Reader } from './reader.ts'

/** Where a newcomer to the service goes on. */
export const startLinks = {
  quickstart: '/quickstart',
  reference: '/docs',
  openapi: '/openapi.json',
  dashboard: '/dashboard',
  health: '/health',
  ready: '/ready',
} as const

const code = (text: string): Html => html`<code>${text}</code>`

const link =
  (name: keyof typeof startLinks) =>
  (text: string): Html =>
    html`<a href="${startLinks[name]}" data-testid="start-${name}">${text}</a>`

/** The page at the address of the service, for those who do not know what it is. It shows nothing of any merchant. */
export const renderStartPage = (reader: Reader, { isSandbox }: { readonly isSandbox: boolean }): string => {
  const { start } = reader.words
  return documentOf(
    reader,
    'Quittance',
    html`<main class="page page-narrow">
<section class="card start" data-testid="start">
<h1>Quittance</h1>
<p>${start.text}</p>
${isSandbox ? html`<p class="quiet" data-testid="start-sandbox">${start.sandbox}</p>` : null}
<p>${start.dashboard(link('dashboard'))}</p>
<h2>${start.developers}</h2>
<dl>
<div><dt>${link('quickstart')(start.quickstart)}</dt>
<dd>${start.quickstartText(code('curl'))}</dd></div>
<div><dt>${link('reference')(start.reference)}</dt>
<dd>${start.referenceText(link('openapi')('OpenAPI 3.1'))}</dd></div>
</dl>
<p>${start.keys(code('x-api-key'))} ${isSandbox ? start.sandboxKey(code('sandbox.json')) : start.operatorKey}</p>
<h2>${start.operators}</h2>
<p>${start.commands(code('npx quittance --help'))} ${start.health(link('health'), link('ready'))}</p>
<h2>${start.toPay}</h2>
<p>${start.toPayText}</p>
</section>
</main>`,
    { hasScript: false },
  )
}
