import type { BillingFailure, Principal } from '@quittance/billing'
import { MerchantId, PaymentId } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createServer } from '../wire/server.ts'
import { evidenceRoutes } from './evidence.ts'

const caller: Principal = {
  merchantId: exampleId(MerchantId, 1),
  environment: 'testnet',
  keyId: 'key_1',
  kind: 'secret',
  scopes: [],
}

type Failure = Extract<
  BillingFailure,
  { readonly _tag: 'TreeChanging' | 'CheckpointNotContinued' | 'LogKeyLacking' | 'CheckpointsNotKept' }
>

describe('evidence that cannot be made now', () => {
  it.each<[Failure, string]>([
    [{ _tag: 'TreeChanging' }, '60'],
    [{ _tag: 'CheckpointNotContinued', kept: 9n, size: 7n }, '300'],
    [{ _tag: 'LogKeyLacking', vkey: 'log.example/a+00000000+AQ' }, '300'],
    [{ _tag: 'CheckpointsNotKept', cause: 'the disk is full' }, '300'],
  ])('says when to ask again ($0._tag)', async (failure, seconds) => {
    const server = createServer('silent')
    server.decorateRequest('principal', null)
    server.addHook('onRequest', async (request) => {
      request.principal = caller
    })
    for (const { method, path: url, auth, respond } of evidenceRoutes({ evidence: () => TE.left(failure) }))
      server.route({ method, url, config: { auth }, handler: respond })
    const answered = await server.inject(`/evidence?payment=${exampleId(PaymentId, 1)}`)
    expect([answered.statusCode, answered.headers['retry-after'], answered.json().code]).toEqual([
      503,
      seconds,
      'store_unavailable',
    ])
    await server.close()
  })
})
