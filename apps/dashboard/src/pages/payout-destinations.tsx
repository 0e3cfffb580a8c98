import type { PayoutDestination } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { hasAllRights } from '../service/session.ts'
import { ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Choice, Field, TextField } from '../ui/field.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { CopyButton, Short, Status, Time } from '../ui/small.tsx'

/** A destination that was just registered, and what its owner signs. */
type Pending = { readonly id: string; readonly transaction: string }

/** Where payouts may go: usable a day after they are registered, or once their owner has signed. */
export const Destinations = () => {
  const [pending, setPending] = useState<Pending | null>(null)
  const [round, setRound] = useState(0)
  const { places, destinations } = words.value
  const reload = () => setRound(round + 1)
  const register = hasAllRights() && (
    <Register
      done={(registered) => {
        setPending(registered)
        reload()
      }}
    />
  )
  return (
    <Page
      title={places.destinations}
      intro={destinations.intro}
      back={{ href: '/dashboard/payouts', label: places.payouts }}
      actions={register}
    >
      {pending !== null && (
        <Prove
          of={pending}
          done={() => {
            setPending(null)
            reload()
          }}
        />
      )}
      <RecordList
        key={`${round}`}
        path="/dashboard/payouts/destinations"
        file="payout-destinations"
        columns={columnsFor(reload)}
        load={(query) => api.payouts.destinations.list(query)}
        empty={{ title: destinations.none, text: destinations.noneText }}
      />
    </Page>
  )
}

const Register = ({ done }: { readonly done: (registered: Pending | null) => void }) => {
  const { destinations, actions, exceptions } = words.value
  return (
    <Dialog opens={destinations.register} kind="primary" title={destinations.register} testId="new-destination">
      {(close) => (
        <ActionForm
          submit={destinations.register}
          testId="destination-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const [label, memo] = [textIn(form, 'label'), textIn(form, 'memo')]
            const memoType = form.get('memo_type') === 'id' ? 'id' : 'text'
            const { id, challenge } = await api.payouts.destinations.register({
              address: demandedIn(form, 'address'),
              ...(label === undefined ? {} : { label }),
              ...(memo === undefined ? {} : { memo, memo_type: memoType }),
            })
            close()
            done(challenge === null ? null : { id, transaction: challenge.transaction })
          }}
        >
          <p>{destinations.registerText}</p>
          <Field label={destinations.address} name="address" required pattern="[GM][A-Z2-7]{55,68}" />
          <Field label={`${destinations.label} ${actions.optional}`} name="label" maxLength={100} />
          <Field
            label={`${exceptions.memo} ${actions.optional}`}
            name="memo"
            maxLength={28}
            hint={destinations.memoHint}
          />
          <Choice
            label={destinations.memoType}
            name="memo_type"
            of={(['text', 'id'] as const).map((each) => [each, destinations.memoTypes[each]] as const)}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}

const Prove = ({ of, done }: { readonly of: Pending; readonly done: () => void }) => {
  const { destinations, settlement } = words.value
  return (
    <section class="card narrow" aria-label={destinations.prove} data-testid="prove-destination">
      <ActionForm
        submit={destinations.prove}
        cancel={
          <button type="button" class="plain" onClick={done}>
            {destinations.later}
          </button>
        }
        does={async (form) => {
          await api.payouts.destinations.verify(of.id, demandedIn(form, 'signed'))
          done()
        }}
      >
        <h2>{destinations.prove}</h2>
        <p>{destinations.proveText}</p>
        <p class="row">
          <code class="clipped">{of.transaction}</code>
          <CopyButton text={of.transaction} />
        </p>
        <TextField label={settlement.signed} name="signed" required />
      </ActionForm>
    </section>
  )
}

const columnsFor = (reload: () => void): ReadonlyArray<Column<PayoutDestination>> => {
  const { destinations, fields, exceptions } = words.value
  return [
    { title: destinations.label, cell: ({ label }) => label ?? '–', csv: ({ label }) => label ?? '' },
    { title: destinations.address, cell: ({ address }) => <Short of={address} />, csv: ({ address }) => address },
    { title: exceptions.memo, cell: ({ memo }) => memo ?? '–', csv: ({ memo }) => memo ?? '' },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    {
      title: destinations.usable,
      cell: ({ via, usable_from }) => (
        <span>
          <Time at={usable_from} /> <span class="quiet">({destinations.via[via]})</span>
        </span>
      ),
      csv: ({ usable_from }) => usable_from,
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
    {
      title: words.value.keys.change,
      cell: (each) => <Remove of={each} reload={reload} />,
      csv: ({ id }) => id,
    },
  ]
}

const Remove = ({ of, reload }: { readonly of: PayoutDestination; readonly reload: () => void }) => {
  const { destinations } = words.value
  if (of.status === 'removed' || !hasAllRights()) return null
  return (
    <Dialog opens={destinations.remove} kind="danger" title={`${destinations.remove}: ${of.label ?? of.address}`}>
      {(close) => (
        <ActionForm
          submit={destinations.remove}
          kind="danger"
          cancel={<CancelButton close={close} />}
          does={async () => {
            await api.payouts.destinations.remove(of.id)
            close()
            reload()
          }}
        >
          <p>{destinations.removeText}</p>
        </ActionForm>
      )}
    </Dialog>
  )
}
