import { html } from './html.ts'
import { documentOf } from './layout.ts'
import type { Reader } from './reader.ts'

/** The page for an unknown id. It repeats nothing of its address. */
export const renderNotFoundPage = (reader: Reader): string => {
  const { title, heading, text } = reader.words.notFound
  return documentOf(
    { ...reader, address: null },
    title,
    html`<main class="page page-narrow">
<section class="card notice" data-testid="not-found">
<h1>${heading}</h1>
<p>${text}</p>
</section>
</main>`,
    { hasScript: false },
  )
}
