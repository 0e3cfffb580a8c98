import type { Exception as Odd } from '@quittance/client/wire'
import { useEffect, useState } from 'preact/hooks'
import { amount } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Short, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

const columns = (): ReadonlyArray<Column<Odd>> => {
  const { fields, exceptions } = words.value
  return [
    {
      title: exceptions.kind,
      cell: ({ id, kind }) => <a href={`/dashboard/exceptions/${id}`}>{exceptions.kinds[kind]}</a>,
      csv: ({ kind }) => kind,
    },
    { title: fields.amount, cell: (each) => amount(each.amount), csv: (each) => each.amount, isNumber: true },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    {
      title: exceptions.sender,
      cell: ({ from_address }) => <Short of={from_address} />,
      csv: ({ from_address }) => from_address,
    },
    {
      title: fields.transaction,
      cell: ({ transaction_hash }) => <Short of={transaction_hash} />,
      csv: ({ transaction_hash }) => transaction_hash,
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

export const Exceptions = () => {
  const { places, exceptions, statuses, fields } = words.value
  const kinds = Object.entries(exceptions.kinds)
  return (
    <Page title={places.exceptions} intro={exceptions.intro}>
      <RecordList
        path="/dashboard/exceptions"
        file="exceptions"
        columns={columns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: (['open', 'resolved'] as const).map((each) => [each, statuses[each]] as const),
          },
          { name: 'kind', label: exceptions.kind, of: kinds },
        ]}
        load={(query) => api.exceptions.list(query)}
        empty={{ title: exceptions.none, text: exceptions.noneText }}
      />
    </Page>
  )
}

/** A return is on its way for some ledgers. */
const lookAgainMs = 3_000

export const Exception = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.exceptions.retrieve(id), id)
  const isReturning = loaded.state._tag === 'Ready' && loaded.state.value.return_status === 'pending'
  useEffect(() => {
    if (!isReturning) return
    const timer = setInterval(loaded.reload, lookAgainMs)
    return () => clearInterval(timer)
  }, [isReturning, id])
  const { places, exceptions, fields } = words.value
  return (
    <Shown of={loaded}>
      {(exception) => (
        <Page
          title={exceptions.kinds[exception.kind]}
          intro={exception.decision_message}
          back={{ href: '/dashboard/exceptions', label: places.exceptions }}
          actions={
            exception.status === 'open' &&
            exception.return_status !== 'pending' &&
            may('exceptions:write') && <Resolve exception={exception} reload={loaded.reload} />
          }
        >
          <Facts
            of={[
              [fields.status, <Status key="status" of={exception.status} />],
              [fields.amount, amount(exception.amount)],
              [exceptions.sender, <code key="from">{exception.from_address}</code>],
              [exceptions.memo, exception.memo],
              [fields.transaction, <code key="hash">{exception.transaction_hash}</code>],
              [
                fields.checkout,
                exception.checkout_id === null ? null : (
                  <a href={`/dashboard/checkouts/${exception.checkout_id}`}>{exception.checkout_id}</a>
                ),
              ],
              [
                fields.payment,
                exception.payment_id === null ? null : (
                  <a href={`/dashboard/payments/${exception.payment_id}`}>{exception.payment_id}</a>
                ),
              ],
              [exceptions.resolution, exception.action === null ? null : exceptions.actions[exception.action]],
              [exceptions.note, exception.note],
              [
                exceptions.giveBack,
                exception.return_status === null ? null : <Status key="return" of={exception.return_status} />,
              ],
              [
                exceptions.givenBackTo,
                exception.return_address === null ? null : <code>{exception.return_address}</code>,
              ],
              [
                exceptions.appliedTo,
                exception.applied_to === null ? null : (
                  <a href={`/dashboard/checkouts/${exception.applied_to}`}>{exception.applied_to}</a>
                ),
              ],
              [fields.id, <code key="id">{exception.id}</code>],
            ]}
          />
          <Timeline
            id={`${id} ${exception.status} ${exception.return_status}`}
            of={(query) => api.exceptions.history(id, query)}
          />
        </Page>
      )}
    </Shown>
  )
}

const choices = ['refund', 'apply', 'accept'] as const

const Resolve = ({ exception, reload }: { readonly exception: Odd; readonly reload: () => void }) => {
  const [action, setAction] = useState<(typeof choices)[number]>('refund')
  const { exceptions, fields, actions } = words.value
  return (
    <Dialog opens={exceptions.resolve} kind="primary" title={exceptions.resolve} testId="resolve">
      {(close) => (
        <ActionForm
          submit={exceptions.resolve}
          testId="resolve-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const [destination, note] = [textIn(form, 'destination'), textIn(form, 'note')]
            await api.exceptions.resolve(exception.id, {
              action,
              ...(action === 'refund' && destination !== undefined ? { destination } : {}),
              ...(action === 'apply' ? { checkout_id: demandedIn(form, 'checkout_id') } : {}),
              ...(note === undefined ? {} : { note }),
            })
            close()
            reload()
          }}
        >
          <Choice
            label={exceptions.what}
            name="action"
            value={action}
            onChange={({ currentTarget }) =>
              setAction(choices.find((each) => each === currentTarget.value) ?? 'refund')
            }
            of={choices.map((each) => [each, exceptions.actions[each]] as const)}
          />
          {action === 'refund' && (
            <Field
              label={`${fields.destination} ${actions.optional}`}
              hint={exceptions.destinationHint}
              name="destination"
            />
          )}
          {action === 'apply' && <Field label={fields.checkout} name="checkout_id" required />}
          <Field label={`${exceptions.note} ${actions.optional}`} name="note" maxLength={500} />
        </ActionForm>
      )}
    </Dialog>
  )
}
