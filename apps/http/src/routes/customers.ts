import type { CommandContext } from '@quittance/billing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { answerOf, authenticate, runCommand } from '../wire/call.ts'
import { decodeBody, email, httpUrl, optional, text } from '../wire/decode.ts'
import { invalid } from '../wire/errors.ts'
import { listOf, pageRequest } from '../wire/lists.ts'
import { pathParameter, type RouteContext } from './route.ts'

const largestBatch = 100

const NewCustomerBody = t.type({
  email,
  name: text(250),
  phone: optional(text(50)),
  image: optional(httpUrl),
  metadata: t.unknown,
})

/** One customer, or several that are all judged before any is written. */
const customersIn = (body: unknown): ReadonlyArray<t.TypeOf<typeof NewCustomerBody>> => {
  if (!Array.isArray(body)) return [decodeBody(NewCustomerBody, body)]
  if (body.length === 0 || body.length > largestBatch)
    throw invalid('body', `A batch has 1 to ${largestBatch} customers`)
  return body.map((each) => decodeBody(NewCustomerBody, each))
}

export const customerRoutes = ({ server, billing }: RouteContext): void => {
  server.post('/customers', async (request) => {
    const principal = authenticate(billing, request)
    const customers = customersIn(request.body)
    const create = (context: CommandContext) =>
      TE.sequenceSeqArray(customers.map((customer, ordinal) => billing.customers.create(context, customer, ordinal)))
    const created = await runCommand(billing, request, principal, create)
    return { data: Array.isArray(request.body) ? created : created[0] }
  })
  server.get('/customers', async (request) => {
    const principal = authenticate(billing, request)
    return listOf('/customers', billing.customers.list(pageRequest(principal, request.query)))
  })
  server.get('/customers/:id', async (request) => {
    const principal = authenticate(billing, request)
    return { data: await answerOf(billing.customers.retrieve(principal, pathParameter(request.params, 'id'))) }
  })
  server.delete('/customers/:id', async (request) => {
    const principal = authenticate(billing, request)
    const id = pathParameter(request.params, 'id')
    await runCommand(billing, request, principal, (context) => billing.customers.remove(context, id))
    return { data: null }
  })
  server.get('/customers/:id/access/:product', async (request) => {
    const principal = authenticate(billing, request)
    const customer = pathParameter(request.params, 'id')
    return answerOf(billing.access(principal, customer, pathParameter(request.params, 'product')))
  })
}
