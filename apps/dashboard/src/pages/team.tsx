import type { Member } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { isOwner } from '../service/session.ts'
import { ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { type Column, RecordTable } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { Secret, Status } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'

type Role = Member['role']
const roles = ['owner', 'admin', 'developer', 'support', 'viewer'] as const
const roleIn = (form: FormData): Role => roles.find((each) => each === form.get('role')) ?? 'viewer'

const RoleChoice = ({ value }: { readonly value: Role }) => {
  const { team } = words.value
  return (
    <Choice
      label={team.role}
      name="role"
      value={value}
      of={roles.map((each) => [each, team.roleTexts[each]] as const)}
    />
  )
}

/** Who may sign in, and as what. */
export const Team = () => {
  const loaded = useLoaded(() => api.members.list())
  const [link, setLink] = useState<string | null>(null)
  const { places, team, fields } = words.value
  const invite = isOwner() && (
    <Dialog opens={team.invite} kind="primary" title={team.invite} testId="invite">
      {(close) => (
        <ActionForm
          submit={team.invite}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const invitation = await api.members.invite({ email: demandedIn(form, 'email'), role: roleIn(form) })
            setLink(invitation.url)
            close()
            loaded.reload()
          }}
        >
          <Field label={fields.email} name="email" type="email" required />
          <RoleChoice value="viewer" />
        </ActionForm>
      )}
    </Dialog>
  )
  return (
    <Page title={places.team} intro={team.intro} actions={invite}>
      {link !== null && <Secret label={team.link} text={link} />}
      <Shown of={loaded}>{(members) => <RecordTable columns={columnsFor(loaded.reload)} records={members} />}</Shown>
    </Page>
  )
}

const columnsFor = (reload: () => void): ReadonlyArray<Column<Member>> => {
  const { team, fields, roles: names } = words.value
  return [
    { title: fields.name, cell: ({ name }) => name ?? '–', csv: ({ name }) => name ?? '' },
    { title: fields.email, cell: ({ email }) => email ?? '–', csv: ({ email }) => email ?? '' },
    { title: team.role, cell: ({ role }) => names[role], csv: ({ role }) => role },
    {
      title: fields.status,
      cell: ({ status }) => (status === 'invited' ? team.invited : <Status of={status} />),
      csv: ({ status }) => status,
    },
    {
      title: team.secondFactor,
      cell: ({ has_second_factor }) => (has_second_factor ? team.yes : team.no),
      csv: ({ has_second_factor }) => String(has_second_factor),
    },
    { title: team.changes, cell: (member) => <Changes of={member} reload={reload} />, csv: () => '' },
  ]
}

const Changes = ({ of, reload }: { readonly of: Member; readonly reload: () => void }) => {
  const { team, actions } = words.value
  return (
    <span class="row">
      <Dialog opens={team.changeRole} title={`${team.changeRole}: ${of.name ?? of.email ?? of.id}`}>
        {(close) => (
          <ActionForm
            submit={actions.save}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              await api.members.changeRole(of.id, { role: roleIn(form) })
              close()
              reload()
            }}
          >
            <RoleChoice value={of.role} />
          </ActionForm>
        )}
      </Dialog>
      <Dialog opens={team.remove} kind="danger" title={`${team.remove}: ${of.name ?? of.email ?? of.id}`}>
        {(close) => (
          <ActionForm
            submit={team.remove}
            kind="danger"
            cancel={<CancelButton close={close} />}
            does={async () => {
              await api.members.remove(of.id)
              close()
              reload()
            }}
          >
            <p>{team.removeText}</p>
          </ActionForm>
        )}
      </Dialog>
    </span>
  )
}
