import type { Approval as Given } from '@quittance/client/wire'
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

const worthOf = ({ value_usd }: Given): string =>
  value_usd === null ? words.value.policies.unknown : money(Number(value_usd) * 100, 'USD')

const columns = (): ReadonlyArray<Column<Given>> => {
  const { fields, approvals } = words.value
  return [
    {
      title: fields.amount,
      cell: ({ id, amount: given }) => <a href={`/dashboard/approvals/${id}`}>{amount(given)}</a>,
      csv: ({ amount: given }) => given,
      isNumber: true,
    },
    { title: approvals.value, cell: worthOf, csv: ({ value_usd }) => value_usd ?? '', isNumber: true },
    { title: approvals.of, cell: (each) => approvals.subjects[each.of], csv: (each) => each.of },
    { title: fields.status, cell: ({ status }) => <Status of={status} />, csv: ({ status }) => status },
    {
      title: fields.destination,
      cell: ({ destination }) => <Short of={destination} />,
      csv: ({ destination }) => destination,
    },
    { title: fields.expires, cell: ({ expires_at }) => <Time at={expires_at} />, csv: ({ expires_at }) => expires_at },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
  ]
}

/** Refunds and payouts over a limit, which wait for a second person. */
export const Approvals = () => {
  const { places, approvals, statuses, fields } = words.value
  return (
    <Page title={places.approvals} intro={approvals.intro}>
      <RecordList
        path="/dashboard/approvals"
        file="approvals"
        columns={columns()}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: (['waiting', 'approved', 'rejected', 'expired', 'withdrawn'] as const).map(
              (each) => [each, statuses[each]] as const,
            ),
          },
        ]}
        load={(query) => api.approvals.list(query)}
        empty={{ title: approvals.none, text: approvals.noneText }}
      />
    </Page>
  )
}

export const Approval = ({ id }: { readonly id: string }) => {
  const loaded = useLoaded(() => api.approvals.retrieve(id), id)
  const { places, approvals, fields, exceptions } = words.value
  return (
    <Shown of={loaded}>
      {(approval) => (
        <Page
          title={amount(approval.amount)}
          intro={approvals.causes[approval.cause]}
          back={{ href: '/dashboard/approvals', label: places.approvals }}
          actions={
            approval.status === 'waiting' &&
            may('approvals:write') && (
              <>
                <Decide of={approval} decision="approve" reload={loaded.reload} />
                <Decide of={approval} decision="reject" reload={loaded.reload} />
              </>
            )
          }
        >
          <Facts
            of={[
              [fields.status, <Status key="status" of={approval.status} />],
              [approvals.value, worthOf(approval)],
              [
                approvals.subjects[approval.of],
                <a key="subject" href={`/dashboard/${approval.of}s/${approval.subject_id}`}>
                  {approval.subject_id}
                </a>,
              ],
              [fields.destination, <code key="to">{approval.destination}</code>],
              [approvals.requestedBy, <code key="by">{approval.requested_by}</code>],
              [approvals.decidedBy, approval.decided_by === null ? null : <code>{approval.decided_by}</code>],
              [exceptions.note, approval.note],
              [fields.expires, approval.ended_at === null ? <Time at={approval.expires_at} /> : null],
              [approvals.ended, approval.ended_at === null ? null : <Time at={approval.ended_at} />],
              [fields.id, <code key="id">{approval.id}</code>],
            ]}
          />
          <Timeline id={`${id} ${approval.status}`} of={(query) => api.approvals.history(id, query)} />
        </Page>
      )}
    </Shown>
  )
}

type Deciding = { readonly of: Given; readonly decision: 'approve' | 'reject'; readonly reload: () => void }

const Decide = ({ of, decision, reload }: Deciding) => {
  const { approvals, exceptions, actions } = words.value
  const kind = decision === 'approve' ? ('primary' as const) : ('danger' as const)
  return (
    <Dialog opens={approvals[decision]} kind={kind} title={approvals[decision]} testId={decision}>
      {(close) => (
        <ActionForm
          submit={approvals[decision]}
          kind={kind}
          testId={`${decision}-form`}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const note = textIn(form, 'note')
            await api.approvals[decision](of.id, note === undefined ? {} : { note })
            close()
            reload()
          }}
        >
          <p>
            {decision === 'approve' ? approvals.approveText(amount(of.amount), of.destination) : approvals.rejectText}
          </p>
          <Field label={`${exceptions.note} ${actions.optional}`} name="note" maxLength={500} />
        </ActionForm>
      )}
    </Dialog>
  )
}
