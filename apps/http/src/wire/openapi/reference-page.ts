import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonSchema } from '@quittance/client/wire'
import { type Html, html } from '../../page/html.ts'
import type { OpenApi } from './document.ts'
import type { Operation } from './operation.ts'
import { proseHtml, schemaHtml } from './schema-html.ts'
import { type WebhookOperation, webhookHeaders } from './webhooks.ts'

const body = readFileSync(join(import.meta.dirname, 'reference.css'), 'utf8')
/** The style sheet, under a path that contains its hash. */
export const referenceStyle = {
  path: `/docs/${createHash('sha256').update(body).digest('hex').slice(0, 16)}.css`,
  body,
}

/** The reference as an HTML page without scripts. */
export const referencePage = ({ info, tags, paths, webhooks, components }: OpenApi): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const sections = tags.map(({ name, description }) => ({ name, description, routes: byTag.get(name) ?? [] }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${referenceStyle.path}">
</head>
<body>
<nav aria-label="Contents">
<p class="name">${info.title} API</p>
${sections.map(
  ({ name, routes }) => html`<h2>${name}</h2>
<ul>${routes.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> ${path}</a></li>`,
  )}</ul>`,
)}
<h2>Events</h2>
<ul>${Object.entries(webhooks).map(([type, { post }]) => html`<li><a href="#${post.operationId}">${type}</a></li>`)}</ul>
<h2>Objects</h2>
<ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>
</nav>
<main>
<h1>${info.title} API</h1>
<p>${proseHtml(info.description)}</p>
<p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
${sections.map(
  ({ name, description, routes }) => html`<h1>${name}</h1>
<p>${proseHtml(description)}</p>
${routes.map(({ path, method, operation }) => operationHtml(path, method, operation))}`,
)}
<h1>Events</h1>
<p>What is sent to webhook endpoints, by type, with the headers ${Object.values(webhookHeaders).map(({ name }) => html`<code>${textOf(name)}</code> `)}.</p>
${Object.entries(webhooks).map(([type, { post }]) => deliveryHtml(type, post))}
<h1>Objects</h1>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="${name}"><h2>${name}</h2>${schemaHtml(schema)}</section>`,
)}
</main>
</body>
</html>
`.markup
}

const operationHtml = (path: string, method: string, operation: Operation): Html => {
  const { operationId, summary, description, deprecated, parameters, requestBody, responses } = operation
  const own = parameters.filter(({ name }) => typeof name === 'string')
  return html`<section id="${operationId}">
<h2>${summary}</h2>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${deprecated ? html`<p><strong>Deprecated</strong></p>` : null}<p>${proseHtml(description)}</p>
${own.length === 0 ? null : html`<h3>Parameters</h3><dl>${own.map(parameterHtml)}</dl>`}
${own.length === parameters.length ? null : html`<p>Takes an idempotency key in the header <code>idempotency-key</code>.</p>`}
${requestBody === undefined ? null : html`<h3>Body</h3>${contentHtml(requestBody)}`}
<h3>Answers</h3>
${Object.entries(responses).map(
  ([status, answer]) => html`<details${status === '200' ? html` open` : null}>
<summary><span class="status">${status}</span> ${proseHtml(answer.description)}</summary>
${contentHtml(answer)}
</details>`,
)}
</section>`
}

const deliveryHtml = (type: string, { operationId, summary, requestBody }: WebhookOperation): Html =>
  html`<section id="${operationId}"><h2><code>${type}</code></h2><p>${proseHtml(summary)}</p>${bodyLine(requestBody)}</section>`

/** The object that a delivery holds. Its fields are shown once, below. */
const bodyLine = (requestBody: JsonSchema): Html => {
  const schema = fieldOf(fieldOf(fieldOf(requestBody, 'content'), 'application/json'), 'schema')
  return schemaHtml(schema)
}

const parameterHtml = ({ name, in: place, required, description, schema }: JsonSchema): Html =>
  html`<dt><code>${textOf(name)}</code> <span class="kind">${textOf(place)}${required === true ? ', required' : ''}</span></dt>
<dd>${proseHtml(textOf(description))}${schemaHtml(schema)}</dd>`

const contentHtml = (holder: unknown): ReadonlyArray<Html> =>
  Object.entries(recordOf(fieldOf(holder, 'content'))).map(([type, media]) => {
    const named = Object.values(recordOf(fieldOf(media, 'examples'))).map((each) => fieldOf(each, 'value'))
    const examples = [fieldOf(media, 'example'), ...named].filter((each) => each !== undefined)
    return html`${type === 'application/json' ? null : html`<p><code>${type}</code></p>`}
${schemaHtml(fieldOf(media, 'schema'))}
${examples.map((example) => html`<pre>${JSON.stringify(example, null, 2)}</pre>`)}`
  })

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const fieldOf = (value: unknown, name: string): unknown => recordOf(value)[name]
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
