import type { ApiKey, ApiKeyWithSecret } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { hasAllRights, roleOf, visit } from '../service/session.ts'
import { network } from '../service/settings.ts'
import { ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Check, Choice, Field } from '../ui/field.tsx'
import { type Column, RecordList } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { Secret, Status, Time } from '../ui/small.tsx'

const mayMake = (): boolean => hasAllRights() || (roleOf() === 'developer' && network.value === 'testnet')
const ownId = (): string | null => (visit.value._tag === 'SignedIn' ? visit.value.session.member.id : null)
/** A key may do no more than who makes it. */
const ownScopes = (): ReadonlyArray<string> => (visit.value._tag === 'SignedIn' ? visit.value.session.scopes : [])

/** The keys of programs. A new one is shown once; the service keeps no copy of it. */
export const Keys = () => {
  const [made, setMade] = useState<ApiKeyWithSecret | null>(null)
  const [round, setRound] = useState(0)
  const { places, keys, statuses, fields } = words.value
  const show = (key: ApiKeyWithSecret | null) => {
    setMade(key)
    setRound(round + 1)
  }
  return (
    <Page title={places.keys} intro={keys.intro} actions={mayMake() && <NewKey show={show} />}>
      {made !== null && (
        <Secret
          label={`${keys.kinds[made.kind]} ${made.name ?? ''}.`}
          text={made.secret}
          after={keys.sentAs(made.kind === 'secret' ? 'x-api-key' : 'x-app-token')}
        />
      )}
      <RecordList
        key={`${round}`}
        path="/dashboard/keys"
        file="api-keys"
        columns={columnsFor(show)}
        filters={[
          {
            name: 'status',
            label: fields.status,
            of: (['active', 'revoked'] as const).map((each) => [each, statuses[each]] as const),
          },
        ]}
        load={(query) => api.apiKeys.list(query)}
        empty={{ title: keys.none, text: keys.noneText }}
      />
    </Page>
  )
}

type Show = (key: ApiKeyWithSecret | null) => void

const NewKey = ({ show }: { readonly show: Show }) => {
  const [kind, setKind] = useState<'secret' | 'app'>('app')
  const { keys, fields } = words.value
  const kinds = hasAllRights() ? (['app', 'secret'] as const) : (['app'] as const)
  return (
    <Dialog opens={keys.create} kind="primary" title={keys.create} testId="new-key">
      {(close) => (
        <ActionForm
          submit={keys.create}
          testId="new-key-form"
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const name = demandedIn(form, 'name')
            const scopes = form.getAll('scope').map(String)
            show(await api.apiKeys.make(kind === 'secret' ? { kind, name } : { kind, name, scopes }))
            close()
          }}
        >
          <p>{keys.createText}</p>
          <Field label={fields.name} name="name" required maxLength={100} hint={keys.nameHint} />
          <Choice
            label={keys.kind}
            name="kind"
            value={kind}
            hint={keys.kindTexts[kind]}
            onChange={({ currentTarget }) => setKind(currentTarget.value === 'secret' ? 'secret' : 'app')}
            of={kinds.map((each) => [each, keys.kinds[each]] as const)}
          />
          {kind === 'app' && (
            <fieldset class="scopes">
              <legend>{keys.scopes}</legend>
              {ownScopes().map((scope) => (
                <Check key={scope} label={scope} name="scope" value={scope} defaultChecked={false} />
              ))}
            </fieldset>
          )}
        </ActionForm>
      )}
    </Dialog>
  )
}

const columnsFor = (show: Show): ReadonlyArray<Column<ApiKey>> => {
  const { keys, fields } = words.value
  const statusOf = ({ status, valid_until }: ApiKey) =>
    status === 'active' && valid_until !== null ? 'replaced' : status
  const madeBy = ({ made_by }: ApiKey) => (made_by === null ? keys.operator : made_by === ownId() ? keys.you : made_by)
  return [
    {
      title: fields.name,
      cell: ({ name, begins_with, ends_with }) => (
        <span>
          {name ?? '–'}
          <br />
          <code class="unbroken">{`${begins_with}…${ends_with}`}</code>
        </span>
      ),
      csv: ({ name }) => name ?? '',
    },
    {
      title: keys.scopes,
      cell: ({ kind, scopes }) => (kind === 'secret' ? keys.kinds.secret : scopes.join(', ')),
      csv: ({ kind, scopes }) => (kind === 'secret' ? 'secret key' : scopes.join(' ')),
    },
    {
      title: fields.status,
      cell: (key) => (
        <span>
          <Status of={statusOf(key)} />
          {statusOf(key) === 'replaced' && key.valid_until !== null && (
            <>
              <br />
              {keys.until} <Time at={key.valid_until} />
            </>
          )}
        </span>
      ),
      csv: statusOf,
    },
    { title: keys.madeBy, cell: madeBy, csv: ({ made_by }) => made_by ?? 'operator' },
    {
      title: keys.lastUsed,
      cell: ({ last_used_at }) => (last_used_at === null ? keys.never : <Time at={last_used_at} />),
      csv: ({ last_used_at }) => last_used_at ?? '',
    },
    { title: fields.created, cell: ({ created_at }) => <Time at={created_at} />, csv: ({ created_at }) => created_at },
    { title: keys.change, cell: (key) => <Changes of={key} show={show} />, csv: ({ id }) => id },
  ]
}

const Changes = ({ of, show }: { readonly of: ApiKey; readonly show: Show }) => {
  const { keys } = words.value
  const isOwn = of.made_by !== null && of.made_by === ownId()
  if (of.status === 'revoked' || !(hasAllRights() || isOwn)) return null
  const named = of.name ?? `${of.begins_with}…${of.ends_with}`
  return (
    <span class="row">
      {isOwn && of.valid_until === null && (
        <Dialog opens={keys.replace} title={`${keys.replace}: ${named}`} testId="replace-key">
          {(close) => (
            <ActionForm
              submit={keys.replace}
              cancel={<CancelButton close={close} />}
              does={async (form) => {
                show(await api.apiKeys.replace(of.id, { overlap_hours: Number(demandedIn(form, 'hours')) }))
                close()
              }}
            >
              <p>{keys.replaceText}</p>
              <Field label={keys.overlap} name="hours" type="number" min={0} max={720} value="24" required />
            </ActionForm>
          )}
        </Dialog>
      )}
      <Dialog opens={keys.revoke} kind="danger" title={`${keys.revoke}: ${named}`} testId="revoke-key">
        {(close) => (
          <ActionForm
            submit={keys.revoke}
            kind="danger"
            testId="revoke-key-form"
            cancel={<CancelButton close={close} />}
            does={async () => {
              await api.apiKeys.revoke(of.id)
              close()
              show(null)
            }}
          >
            <p>{keys.revokeText}</p>
          </ActionForm>
        )}
      </Dialog>
    </span>
  )
}
