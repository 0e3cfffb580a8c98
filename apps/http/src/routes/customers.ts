import * as t from 'io-ts'
import { principalOf } from '../wire/auth.ts'
import { answerOf, runCommand } from '../wire/call.ts'
import { decodeBody, email, httpUrl, optional, phone, text } from '../wire/decode.ts'
import { invalid } from '../wire/errors.ts'
import { answerList } from '../wire/lists.ts'
import { unavailable } from '../wire/unavailable.ts'
import { keyed, keyedList, pathParameter, type RouteContext } from './route.ts'

const largestBatch = 100

const NewCustomerBody = t.type({
  email,
  name: text(250),
  phone: optional(phone),
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
  const { customers } = billing
  server.post('/customers', keyed, async (request) => {
    const created = await runCommand(billing, request, (context) =>
      customers.createAll(context, customersIn(request.body)),
    )
    return { data: Array.isArray(request.body) ? created : created[0] }
  })
  server.get('/customers', keyedList(), (request) => answerList(request, '/customers', customers))
  server.get('/customers/:id', keyed, async (request) => ({
    data: await answerOf(customers.retrieve(principalOf(request), pathParameter(request, 'id'))),
  }))
  server.delete('/customers/:id', keyed, async (request) => {
    const id = pathParameter(request, 'id')
    await runCommand(billing, request, (context) => customers.remove(context, id))
    return { data: null }
  })
  server.get('/customers/:id/access/:product', { ...keyed, ...unavailable('at') }, (request) =>
    answerOf(billing.access(principalOf(request), pathParameter(request, 'id'), pathParameter(request, 'product'))),
  )
}
