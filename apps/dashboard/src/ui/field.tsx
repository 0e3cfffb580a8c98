import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Labelled = { readonly label: string; readonly hint?: string }

const Frame = ({
  id,
  label,
  hint,
  children,
}: Labelled & { readonly id: string; readonly children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </div>
)

const describedBy = (id: string, hint: string | undefined) =>
  hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }

type FieldProps = Labelled &
  InputHTMLAttributes & {
    /** For a field that appears because something is asked for. */
    readonly takesFocus?: true
  }

export const Field = ({ label, hint, takesFocus, ...input }: FieldProps) => {
  const id = useId()
  const element = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) element.current?.focus()
  }, [takesFocus])
  return (
    <Frame id={id} label={label} {...(hint === undefined ? {} : { hint })}>
      <input ref={element} id={id} type="text" autocomplete="off" {...describedBy(id, hint)} {...input} />
    </Frame>
  )
}

export const TextField = ({ label, hint, ...area }: Labelled & TextareaHTMLAttributes) => {
  const id = useId()
  return (
    <Frame id={id} label={label} {...(hint === undefined ? {} : { hint })}>
      <textarea id={id} rows={3} {...describedBy(id, hint)} {...area} />
    </Frame>
  )
}

type Option = readonly [value: string, label: string]

export const Choice = ({
  label,
  hint,
  of,
  ...select
}: Labelled & { readonly of: ReadonlyArray<Option> } & SelectHTMLAttributes) => {
  const id = useId()
  return (
    <Frame id={id} label={label} {...(hint === undefined ? {} : { hint })}>
      <select id={id} {...describedBy(id, hint)} {...select}>
        {of.map(([value, text]) => (
          <option key={value} value={value} selected={value === select.value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

type CheckProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly defaultChecked: boolean
}

export const Check = ({ label, ...input }: CheckProps) => (
  <label class="check">
    <input type="checkbox" {...input} />
    {label}
  </label>
)
