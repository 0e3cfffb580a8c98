import type { Refund as Given } from '@quittance/client/wire'
import { amount } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionButton } from '../ui/action.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Short, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

const columns = (): ReadonlyArray<Column<Given>> => {
  const { fields } = words.value
  return [
    {
      title: fields.amount,
      cell: ({ id, amount: given }) => <a href={`/dashboard/refunds/${id}`}>{amount(given)}</a>,
      csv: ({ amount: given }) => given,
      isNumber: true,
    },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    {
      title: fields.payment,
      cell: ({ payment_id }) => (
        <a href={`/dashboard/payments/${payment_id}`}>
          <code>{payment_id}</code>
        </a>
      ),
      csv: ({ payment_id }) => payment_id,
    },
    {
      title: fields.destination,
      cell: (refund) => <Short of={refund.receiver_wallet_address} />,
      csv: (refund) => refund.receiver_wallet_address,
    },
    { title: fields.reason, cell: ({ reason }) => reason ?? '–', csv: ({ reason }) => reason ?? '' },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Refunds = () => {
  const { places, refunds, statuses, fields } = words.value
  return (
    <Page title={places.refunds} intro={refunds.intro}>
      <RecordList
        path="/dashboard/refunds"
        file="refunds"
        columns={columns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: (['pending', 'succeeded', 'failed'] as const).map((each) => [each, statuses[each]] as const),
          },
        ]}
        load={(query) => api.refunds.list(query)}
        empty={{ title: refunds.none, text: refunds.noneText }}
      />
    </Page>
  )
}

export const Refund = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.refunds.retrieve(id), id)
  const { places, refunds, fields } = words.value
  return (
    <Shown of={loaded}>
      {(refund) => (
        <Page
          title={amount(refund.amount)}
          back={{ href: '/dashboard/refunds', label: places.refunds }}
          actions={
            refund.status === 'pending' &&
            refund.sends_at !== null &&
            may('refunds:write') && (
              <ActionButton
                kind="danger"
                does={async () => {
                  await api.refunds.cancel(id)
                  loaded.reload()
                }}
              >
                {refunds.cancel}
              </ActionButton>
            )
          }
        >
          <Facts
            of={[
              [fields.status, <Status key="status" of={refund.status} />],
              [refunds.failure, refund.failure_message],
              [refunds.sends, refund.sends_at === null ? null : <Time at={refund.sends_at} />],
              [fields.reason, refund.reason],
              [
                fields.payment,
                <a key="payment" href={`/dashboard/payments/${refund.payment_id}`}>
                  {refund.payment_id}
                </a>,
              ],
              [fields.destination, <code key="to">{refund.receiver_wallet_address}</code>],
              [fields.transaction, refund.transaction_hash === null ? null : <code>{refund.transaction_hash}</code>],
              [fields.id, <code key="id">{refund.id}</code>],
            ]}
          />
          <Timeline id={`${id} ${refund.status}`} of={(query) => api.refunds.history(id, query)} />
        </Page>
      )}
    </Shown>
  )
}
