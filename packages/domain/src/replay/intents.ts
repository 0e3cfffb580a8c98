import type { Intent } from '../intent/index.ts'
import type { Behind } from './behind.ts'

type Explain = Behind<typeof Intent>

export const behindIntent: Explain = (state, { type, data }, [second, third]) => {
  switch (type) {
    case 'IntentRecorded':
      return [{ type: 'RecordIntent', ...data }]
    case 'IntentAttached':
      return [{ type: 'AttachIntent', ...data }, ...recovering(data.transactionHash, second)]
    case 'IntentDetached':
      return [
        { type: 'DetachIntent', ...data },
        ...(second?.type === 'IntentAttached' ? recovering(second.data.transactionHash, third) : []),
      ]
    case 'IntentSettled':
      return attachedTo(state, data).map((attached) => ({ type: 'SettleIntent', ...data, attachedTo: attached }))
    case 'IntentRefused':
      return attachedTo(state, data).map((attached) => ({ type: 'RefuseIntent', ...data, attachedTo: attached }))
    case 'IntentGivenUp':
      return [{ type: 'GiveUpIntent', ...data }]
    case 'IntentReported':
      return [{ type: 'ReportIntent' }]
  }
}

type State = Parameters<Explain>[0]
type Event = Parameters<Explain>[1]
type InLedger = Extract<Event, { readonly type: 'IntentSettled' }>['data']

/** The ledger may hold the transaction, or another one that pays its fee. */
const attachedTo = (state: State, { transactionHash }: Pick<InLedger, 'transactionHash'>) =>
  state.status === 'attached' ? [state.attachedTo] : [transactionHash]

const recovering = (attached: InLedger['transactionHash'], event: Event | undefined): ReturnType<Explain> =>
  event?.type === 'IntentSettled' ? [{ type: 'RecoverIntent', ...event.data, attachedTo: attached }] : []
