import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../messages/index.ts'

type PageProps = {
  readonly title: string
  readonly intro?: ComponentChildren
  /** What can be done here, at the end of the heading's line. */
  readonly actions?: ComponentChildren
  readonly back?: { readonly href: string; readonly label: string }
  readonly children: ComponentChildren
}

/** A page. When it opens, its heading gets the focus, so that the keyboard and screen readers begin there. */
export const Page = ({ title, intro, actions, back, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.title = `${title} · ${words.value.product}`
  }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          {back && (
            <a class="back" href={back.href}>
              {back.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p class="quiet">{intro}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A titled part of a page. */
export const Section = ({ title, actions, children }: Pick<PageProps, 'title' | 'actions' | 'children'>) => (
  <section class="section">
    <div class="section-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

/** Names and what they are; rows with a null value are left out. */
export const Facts = ({ of }: { readonly of: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts card">
    {of.map(([name, value]) =>
      value === null ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)
