/** Readable on a phone and on paper, in light and dark, with what the system has. */
export const style = `
:root { --ink: #1d2430; --soft: #5b6676; --line: #d9dee6; --paper: #fff; --shade: #f4f6f9; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b4; --line: #333b47; --paper: #14181f; --shade: #1d232c; --link: #7ab8f5 } }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: break-word }
a { color: var(--link) }
h1 small, td small, .route b { color: var(--soft) }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
article { margin: 2rem 0 }
article:target, tr:target { background: var(--shade); outline: .5rem solid var(--shade) }
code { font: .875em/1.4 ui-monospace, monospace; background: var(--shade); padding: .1em .3em; border-radius: .2em; overflow-wrap: anywhere }
.route code { font-size: 1em }
.wide { overflow-x: auto; margin: .75rem 0 }
table { border-collapse: collapse; min-width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
td p { margin: 0 }
td:last-child { min-width: 12rem }
nav ul { padding-left: 1.1rem }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 2.5rem }
  header { grid-column: 1 / -1 }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: .9rem }
}
`
