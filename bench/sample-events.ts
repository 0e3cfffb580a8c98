import type { EventContext, NewEvent } from '@quittance/domain'

const padded = (value: number): string => value.toString(36).padStart(22, '0')

/** The context of a benchmark's n-th command. */
export const sampleContext = (n: number): EventContext => ({
  merchantId: `mer_${padded(7)}`,
  environment: 'testnet',
  commandId: `0198a6b2-0000-5000-8001-${n.toString(16).padStart(12, '0')}`,
  correlationId: `0198a6b2-0000-5000-8002-${n.toString(16).padStart(12, '0')}`,
  causationId: null,
  actor: `key_${padded(9)}`,
  occurredAt: 1_790_000_000_000 + n,
})

/** A benchmark's n-th event, with the size and shape of a checkout's events. */
export const sampleEvent = (n: number): NewEvent => ({
  id: `0198a6b2-0000-5000-8000-${n.toString(16).padStart(12, '0')}`,
  type: 'CreditAccepted',
  schemaVersion: 1,
  data: {
    paymentId: `pay_${padded(n)}`,
    credit: {
      transactionHash: n.toString(16).padStart(64, 'a'),
      operationIndex: 0,
      ledger: 51_000_000 + n,
      closedAt: 1_790_000_000_000 + n,
      amount: '125000000',
      assetId: 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    },
  },
  context: sampleContext(n),
})
