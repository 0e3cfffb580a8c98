import type { Payment as Paid } from '@quittance/client/wire'
import { amount, money } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionForm, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Short, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

const paymentStatuses = ['pending', 'confirmed', 'failed'] as const

const priceOf = ({ amount_cents, currency_code, amount: inAsset }: Paid): string =>
  amount_cents === null ? amount(inAsset) : money(amount_cents, currency_code)

export const paymentColumns = (): ReadonlyArray<Column<Paid>> => {
  const { fields, payments } = words.value
  return [
    {
      title: fields.price,
      cell: ({ id, ...payment }) => <a href={`/dashboard/payments/${id}`}>{priceOf({ id, ...payment })}</a>,
      csv: priceOf,
      isNumber: true,
    },
    {
      title: fields.amount,
      cell: (payment) => amount(payment.amount),
      csv: (payment) => payment.amount,
      isNumber: true,
    },
    {
      title: fields.status,
      cell: ({ status, refunded }) => (
        <>
          <Status of={status} /> {refunded && <span class="status">{payments.refunded}</span>}
        </>
      ),
      csv: ({ status, refunded }) => (refunded ? 'refunded' : status),
    },
    {
      title: fields.customer,
      cell: ({ customer_id, billing_details }) =>
        customer_id === null ? (
          payments.guest
        ) : (
          <a href={`/dashboard/customers/${customer_id}`}>
            {billing_details?.name ?? billing_details?.email ?? customer_id}
          </a>
        ),
      csv: ({ customer_id }) => customer_id ?? '',
    },
    {
      title: fields.transaction,
      cell: ({ transaction_hash: hash }) => (hash === null ? '–' : <Short of={hash} />),
      csv: ({ transaction_hash }) => transaction_hash ?? '',
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Payments = () => {
  const { places, payments, statuses, fields } = words.value
  return (
    <Page title={places.payments} intro={payments.intro}>
      <RecordList
        path="/dashboard/payments"
        file="payments"
        columns={paymentColumns()}
        filters={[
          { name: 'status', label: fields.status, of: paymentStatuses.map((each) => [each, statuses[each]] as const) },
        ]}
        load={(query) => api.payments.list(query)}
        empty={{ title: payments.none, text: payments.noneText }}
      />
    </Page>
  )
}

export const Payment = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.payments.retrieve(id), id)
  const { places, payments, fields } = words.value
  return (
    <Shown of={loaded}>
      {(payment) => (
        <Page
          title={priceOf(payment)}
          back={{ href: '/dashboard/payments', label: places.payments }}
          actions={
            payment.status === 'confirmed' &&
            !payment.refunded &&
            may('refunds:write') && <Refund payment={payment} reload={loaded.reload} />
          }
        >
          <Facts
            of={[
              [fields.status, <Status key="status" of={payment.status} />],
              [fields.amount, amount(payment.amount)],
              [payments.failure, payment.failure_reason],
              [
                fields.customer,
                payment.customer_id === null ? (
                  payments.guest
                ) : (
                  <a href={`/dashboard/customers/${payment.customer_id}`}>
                    {payment.billing_details?.name ?? payment.customer_id}
                  </a>
                ),
              ],
              [
                fields.subscription,
                payment.subscription_id === null ? null : (
                  <a href={`/dashboard/subscriptions/${payment.subscription_id}`}>{payment.subscription_id}</a>
                ),
              ],
              [
                fields.checkout,
                <a key="checkout" href={`/dashboard/checkouts/${payment.checkout_id}`}>
                  {payment.checkout_id}
                </a>,
              ],
              [
                fields.transaction,
                payment.transaction_hash === null ? null : <Transactions key="paid by" of={payment} />,
              ],
              [
                payments.from,
                payment.payment_method_details === null ? null : <code>{payment.payment_method_details.address}</code>,
              ],
              [payments.confirmed, payment.confirmed_at === null ? null : <Time at={payment.confirmed_at} />],
              [payments.overpaid, payment.overpaid_amount === null ? null : amount(payment.overpaid_amount)],
              [fields.id, <code key="id">{payment.id}</code>],
              ...payment.line_items.map(
                (item) =>
                  [
                    payments.refund,
                    <span key={item.id} class="row">
                      {amount(item.amount)} <Status of={item.status} />
                    </span>,
                  ] as const,
              ),
            ]}
          />
          <Timeline
            id={`${id} ${payment.status} ${payment.line_items.length}`}
            of={(query) => api.payments.history(id, query)}
          />
        </Page>
      )}
    </Shown>
  )
}

/** Each part of a payment that came in parts, or the one transaction, which no ledger may hold yet. */
const Transactions = ({ of: { transaction_hash, transactions } }: { readonly of: Paid }) =>
  transactions.length === 0 ? (
    <code>{transaction_hash}</code>
  ) : (
    transactions.map(({ hash, ledger, amount: part }) => (
      <p key={hash}>
        {transactions.length > 1 && <strong>{amount(part)} </strong>}
        <code>{hash}</code> {words.value.timeline.ledger} {ledger}
      </p>
    ))
  )

const Refund = ({ payment, reload }: { readonly payment: Paid; readonly reload: () => void }) => {
  const { payments, fields, actions } = words.value
  return (
    <Dialog opens={payments.giveBack} kind="danger" title={payments.giveBack} testId="refund">
      {(close) => (
        <ActionForm
          submit={payments.giveBack}
          kind="danger"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const reason = textIn(form, 'reason')
            await api.refunds.create({ payment_id: payment.id, ...(reason === undefined ? {} : { reason }) })
            close()
            reload()
          }}
        >
          <p>
            {payments.giveBackText} <strong>{amount(payment.amount)}</strong>
          </p>
          <Field label={`${fields.reason} ${actions.optional}`} name="reason" maxLength={500} />
        </ActionForm>
      )}
    </Dialog>
  )
}
