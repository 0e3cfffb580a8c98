import { html } from './html.ts'
import { documentOf } from './layout.ts'

/** The page for an unknown id. */
export const renderNotFoundPage = (): string =>
  documentOf(
    'Checkout not found',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="not-found">
<h1>This checkout does not exist</h1>
<p>The address may be incomplete. Please go back to where you came from, or ask the merchant for a new link.</p>
</section>
</main>`,
    { hasScript: false },
  )
