import { answerOf, authenticate } from '../wire/call.ts'
import { listOf, pageRequest } from '../wire/lists.ts'
import { pathParameter, type RouteContext } from './route.ts'

/** `/payment`, also under the plural. */
export const paymentRoutes = ({ server, billing }: RouteContext): void => {
  for (const path of ['/payment', '/payments']) {
    server.get(path, async (request) => {
      const principal = authenticate(billing, request)
      return listOf(path, billing.payments.list(pageRequest(principal, request.query)))
    })
    server.get(`${path}/:id`, async (request) => {
      const principal = authenticate(billing, request)
      return { data: await answerOf(billing.payments.retrieve(principal, pathParameter(request.params, 'id'))) }
    })
  }
}
