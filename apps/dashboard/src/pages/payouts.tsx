import type { Payout as Given, PayoutDestination, PayoutSchedule } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { amount, assetCode, decimalOf } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionButton, ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { type Column, RecordList, RecordTable } from '../ui/list.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Short, Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { Timeline } from '../ui/timeline.tsx'

const columns = (): ReadonlyArray<Column<Given>> => {
  const { fields, payouts } = words.value
  return [
    {
      title: fields.amount,
      cell: ({ id, amount: given }) => <a href={`/dashboard/payouts/${id}`}>{amount(given)}</a>,
      csv: ({ amount: given }) => given,
      isNumber: true,
    },
    { title: fields.status, cell: (payout) => <Standing of={payout} />, csv: ({ status }) => status },
    {
      title: fields.destination,
      cell: ({ destination }) => <Short of={destination} />,
      csv: ({ destination }) => destination,
    },
    {
      title: payouts.madeBy,
      cell: ({ automatic }) => (automatic ? payouts.bySchedule : payouts.byHand),
      csv: ({ automatic }) => (automatic ? 'schedule' : 'hand'),
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

/** Where a payout stands, and the approval that it waits for. */
const Standing = ({ of: { status, approval_id } }: { readonly of: Given }) => (
  <span>
    <Status of={status} word={status === 'canceled' ? words.value.payouts.canceled : undefined} />
    {approval_id !== null && (
      <>
        {' '}
        <a href={`/dashboard/approvals/${approval_id}`}>{words.value.payouts.waits}</a>
      </>
    )}
  </span>
)

/** Money of the merchant's that goes to addresses of theirs, by hand or by itself. */
export const Payouts = () => {
  const [round, setRound] = useState(0)
  const destinations = useLoaded(() => usableDestinations())
  const { places, payouts, statuses, fields } = words.value
  const known = destinations.state._tag === 'Ready' ? destinations.state.value : []
  const reload = () => setRound(round + 1)
  return (
    <Page
      title={places.payouts}
      intro={payouts.intro}
      actions={
        <>
          {may('payouts:write') && known.length > 0 && <NewPayout destinations={known} reload={reload} />}
          <a class="button plain" href="/dashboard/payouts/destinations">
            {places.destinations}
          </a>
        </>
      }
    >
      <Balances key={`balances ${round}`} />
      <Schedules destinations={known} />
      <Section title={places.payouts}>
        <RecordList
          key={`payouts ${round}`}
          path="/dashboard/payouts"
          file="payouts"
          columns={columns()}
          filters={[
            {
              name: 'status',
              label: fields.status,
              of: [
                ...(['pending', 'succeeded', 'failed'] as const).map((each) => [each, statuses[each]] as const),
                ['canceled', payouts.canceled],
              ],
            },
          ]}
          load={(query) => api.payouts.list(query)}
          empty={{ title: payouts.none, text: payouts.noneText }}
        />
      </Section>
    </Page>
  )
}

/** Registered destinations that payouts may name by now. */
const usableDestinations = async (): Promise<ReadonlyArray<PayoutDestination>> => {
  const found: Array<PayoutDestination> = []
  for await (const each of api.payouts.destinations.list()) if (each.status === 'registered') found.push(each)
  return found
}

const nameOf = ({ label, address }: PayoutDestination): string =>
  label === null ? address : `${label} (${address.slice(0, 6)}…${address.slice(-6)})`

const Balances = () => {
  const loaded = useLoaded(() => api.payouts.balance())
  const { payouts, books, fields } = words.value
  return (
    <Section title={payouts.available}>
      <Shown of={loaded}>
        {(balances) => (
          <RecordTable
            records={balances.map((each) => ({ ...each, id: each.asset_id }))}
            columns={[
              { title: fields.asset, cell: ({ code }) => code, csv: ({ code }) => code },
              ...(['available', 'held', 'in_flight', 'platform_fees', 'ledger'] as const).map((name) => ({
                title: {
                  available: books.available,
                  held: books.held,
                  in_flight: books.inFlight,
                  platform_fees: payouts.fees,
                  ledger: books.onLedger,
                }[name],
                cell: (each: Readonly<Record<typeof name, string>>) => decimalOf(each[name]),
                csv: (each: Readonly<Record<typeof name, string>>) => each[name],
                isNumber: true as const,
              })),
            ]}
          />
        )}
      </Shown>
    </Section>
  )
}

type Choosing = { readonly destinations: ReadonlyArray<PayoutDestination> }

const AssetChoice = () => {
  const assets = useLoaded(() => api.catalogue.assets())
  const known = assets.state._tag === 'Ready' ? assets.state.value : []
  return (
    <Choice
      key={known.length}
      label={words.value.fields.asset}
      name="asset"
      of={known.map(({ asset_id, code }) => [asset_id, code] as const)}
    />
  )
}

const DestinationChoice = ({ destinations }: Choosing) => (
  <Choice
    label={words.value.fields.destination}
    name="destination"
    of={destinations.map((each) => [each.id, nameOf(each)] as const)}
  />
)

const NewPayout = ({ destinations, reload }: Choosing & { readonly reload: () => void }) => {
  const { payouts, fields } = words.value
  return (
    <Dialog opens={payouts.create} kind="primary" title={payouts.create} testId="new-payout">
      {(close) => (
        <ActionForm
          submit={payouts.create}
          testId="new-payout-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            await api.payouts.create({
              asset_id: demandedIn(form, 'asset'),
              amount: textIn(form, 'amount')?.replace(',', '.') ?? 'all',
              destination: demandedIn(form, 'destination'),
            })
            close()
            reload()
          }}
        >
          <p>{payouts.createText}</p>
          <AssetChoice />
          <Field
            label={fields.amount}
            name="amount"
            inputMode="decimal"
            pattern="\d{1,12}([.,]\d{1,7})?"
            hint={payouts.amountHint}
          />
          <DestinationChoice destinations={destinations} />
        </ActionForm>
      )}
    </Dialog>
  )
}

const intervals = ['daily', 'weekly', 'threshold'] as const
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const Schedules = ({ destinations }: Choosing) => {
  const loaded = useLoaded(() => api.payouts.schedules.list())
  const { payouts } = words.value
  const setUp = may('payouts:write') && destinations.length > 0 && (
    <SetSchedule destinations={destinations} reload={loaded.reload} />
  )
  return (
    <Section title={payouts.schedules} actions={setUp}>
      <Shown of={loaded}>
        {(schedules) =>
          schedules.length === 0 ? (
            <p class="quiet">{payouts.noSchedules}</p>
          ) : (
            <RecordTable
              records={schedules.map((each) => ({ ...each, id: each.asset_id }))}
              columns={scheduleColumns(destinations, loaded.reload)}
            />
          )
        }
      </Shown>
    </Section>
  )
}

const scheduleColumns = (
  destinations: ReadonlyArray<PayoutDestination>,
  reload: () => void,
): ReadonlyArray<Column<PayoutSchedule & { readonly id: string }>> => {
  const { payouts, fields } = words.value
  const when = ({ interval, weekly_anchor, threshold, asset_id }: PayoutSchedule) => {
    if (interval === 'threshold') return payouts.from(amount(`${threshold ?? '0'} ${assetCode(asset_id)}`))
    return weekly_anchor === null ? payouts.intervals[interval] : payouts.weekdays[weekly_anchor]
  }
  const to = ({ destination }: PayoutSchedule) => {
    const known = destinations.find(({ id }) => id === destination)
    return known === undefined ? destination : nameOf(known)
  }
  return [
    { title: fields.asset, cell: (each) => assetCode(each.asset_id), csv: (each) => each.asset_id },
    { title: payouts.when, cell: when, csv: when },
    {
      title: payouts.reserve,
      cell: ({ reserve }) => decimalOf(reserve),
      csv: ({ reserve }) => reserve,
      isNumber: true,
    },
    { title: fields.destination, cell: to, csv: to },
    { title: payouts.next, cell: (each) => <Time at={each.next_payout_at} />, csv: (each) => each.next_payout_at },
    ...(may('payouts:write')
      ? [
          {
            title: payouts.change,
            cell: ({ asset_id }: PayoutSchedule) => (
              <ActionButton kind="danger" does={() => api.payouts.schedules.remove(asset_id).then(reload)}>
                {payouts.endSchedule}
              </ActionButton>
            ),
            csv: () => '',
          },
        ]
      : []),
  ]
}

const SetSchedule = ({ destinations, reload }: Choosing & { readonly reload: () => void }) => {
  const [interval, setInterval] = useState<(typeof intervals)[number]>('weekly')
  const { payouts, actions } = words.value
  return (
    <Dialog opens={payouts.setSchedule} title={payouts.setSchedule} testId="set-schedule">
      {(close) => (
        <ActionForm
          submit={actions.save}
          testId="schedule-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const weekday = weekdays.find((each) => each === form.get('weekday')) ?? 'monday'
            const reserve = textIn(form, 'reserve')?.replace(',', '.')
            await api.payouts.schedules.set({
              asset_id: demandedIn(form, 'asset'),
              interval,
              destination: demandedIn(form, 'destination'),
              ...(interval === 'weekly' ? { weekly_anchor: weekday } : {}),
              ...(interval === 'threshold' ? { threshold: demandedIn(form, 'threshold').replace(',', '.') } : {}),
              ...(reserve === undefined ? {} : { reserve }),
            })
            close()
            reload()
          }}
        >
          <p>{payouts.scheduleText}</p>
          <AssetChoice />
          <Choice
            label={payouts.when}
            name="interval"
            value={interval}
            onChange={({ currentTarget }) =>
              setInterval(intervals.find((each) => each === currentTarget.value) ?? 'weekly')
            }
            of={intervals.map((each) => [each, payouts.intervals[each]] as const)}
          />
          {interval === 'weekly' && (
            <Choice
              label={payouts.weekday}
              name="weekday"
              value="monday"
              of={weekdays.map((each) => [each, payouts.weekdays[each]] as const)}
            />
          )}
          {interval === 'threshold' && (
            <Field
              label={payouts.threshold}
              name="threshold"
              required
              inputMode="decimal"
              pattern="\d{1,12}([.,]\d{1,7})?"
            />
          )}
          <Field
            label={`${payouts.reserve} ${actions.optional}`}
            name="reserve"
            inputMode="decimal"
            pattern="\d{1,12}([.,]\d{1,7})?"
            hint={payouts.reserveHint}
          />
          <DestinationChoice destinations={destinations} />
        </ActionForm>
      )}
    </Dialog>
  )
}

export const Payout = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.payouts.retrieve(id), id)
  const { places, payouts, fields } = words.value
  return (
    <Shown of={loaded}>
      {(payout) => (
        <Page
          title={amount(payout.amount)}
          back={{ href: '/dashboard/payouts', label: places.payouts }}
          actions={
            payout.status === 'pending' &&
            payout.purpose === 'payout' &&
            may('payouts:write') && (
              <ActionButton
                kind="danger"
                does={async () => {
                  await api.payouts.cancel(id)
                  loaded.reload()
                }}
              >
                {payouts.cancel}
              </ActionButton>
            )
          }
        >
          <Facts
            of={[
              [fields.status, <Standing key="status" of={payout} />],
              [payouts.failure, payout.failure_message],
              [payouts.madeBy, payout.automatic ? payouts.bySchedule : payouts.byHand],
              [fields.destination, <code key="to">{payout.destination}</code>],
              [payouts.memo, payout.memo],
              [fields.transaction, payout.transaction_hash === null ? null : <code>{payout.transaction_hash}</code>],
              [fields.ledger, payout.ledger],
              [fields.id, <code key="id">{payout.id}</code>],
            ]}
          />
          <Timeline id={`${id} ${payout.status}`} of={(query) => api.payouts.history(id, query)} />
        </Page>
      )}
    </Shown>
  )
}
