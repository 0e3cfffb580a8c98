import type { Billing } from '@quittance/billing'
import { Exception, ExceptionStatus, id } from '@quittance/client/wire'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { list } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

const auth = keyed('exceptions:read')

export const exceptionRoutes = ({ exceptions }: Billing): ReadonlyArray<Route> => [
  list({
    path: '/exceptions',
    summary: 'List money that does not fit, open and resolved',
    auth,
    of: Exception,
    from: exceptions,
    status: ExceptionStatus,
  }),
  route({
    method: 'GET',
    path: '/exceptions/:id',
    summary: 'Retrieve an exception',
    auth,
    params: { id: id('exc_') },
    answer: Exception,
    handler: ({ param, principal }) => answerOf(exceptions.retrieve(principal(), param('id'))),
  }),
]
