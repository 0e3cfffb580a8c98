import type { Subscription as Subscribed } from '@quittance/client/wire'
import { amount, money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { type Column, RecordList } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { Status, Time } from '../ui/small.tsx'

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'overdue', 'paused', 'canceled'] as const

const priceOf = ({ price_amount_cents, currency_code }: Subscribed): string => money(price_amount_cents, currency_code)

export const subscriptionColumns = (): ReadonlyArray<Column<Subscribed>> => {
  const { fields } = words.value
  return [
    {
      title: fields.id,
      cell: ({ id }) => (
        <a href={`/dashboard/subscriptions/${id}`}>
          <code>{id}</code>
        </a>
      ),
      csv: ({ id }) => id,
    },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    { title: fields.price, cell: priceOf, csv: priceOf, isNumber: true },
    {
      title: fields.cap,
      cell: ({ authorization }) => amount(authorization.cap),
      csv: ({ authorization }) => authorization.cap,
      isNumber: true,
    },
    {
      title: fields.renews,
      cell: ({ next_renewal_at: at }) => (at === null ? '–' : <Time at={at} />),
      csv: ({ next_renewal_at }) => next_renewal_at ?? '',
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Subscriptions = () => {
  const { places, subscriptions, statuses, fields } = words.value
  return (
    <Page title={places.subscriptions} intro={subscriptions.intro}>
      <RecordList
        path="/dashboard/subscriptions"
        file="subscriptions"
        columns={subscriptionColumns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: subscriptionStatuses.map((each) => [each, statuses[each]] as const),
          },
        ]}
        load={(query) => api.subscriptions.listAll(query)}
        empty={{ title: subscriptions.none, text: subscriptions.noneText }}
      />
    </Page>
  )
}
