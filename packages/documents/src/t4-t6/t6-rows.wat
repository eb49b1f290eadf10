;; Rows of a bilevel page coded with ITU-T T.6: the two-dimensional procedure of T.4, 4.2.1.3.4.
;; t6-rows.wasm is this file, put into bytes by `wat2wasm t6-rows.wat` of wabt; a test compares them.
;; A code word in a table is its bits shifted left by 4, and their number (1–13) in the low 4 bits.
(module
  (memory (export "memory") 2)
  (global $width (mut i32) (i32.const 0))
  (global $rowBytes (mut i32) (i32.const 0))
  ;; Changing elements of the row above and of the row: pixels as words, with three times the width behind the last.
  (global $above (mut i32) (i32.const 0))
  (global $row (mut i32) (i32.const 0))
  (global $changes (mut i32) (i32.const 0))
  ;; Bits that do not fill a word of 32 yet.
  (global $held (mut i64) (i64.const 0))
  (global $bits (mut i32) (i32.const 0))

  ;; Begins a page: the elements $above are those of a white row.
  (func (export "begin") (param $width i32) (param $rowBytes i32) (param $above i32) (param $row i32)
    (global.set $width (local.get $width))
    (global.set $rowBytes (local.get $rowBytes))
    (global.set $above (local.get $above))
    (global.set $row (local.get $row))
    (global.set $changes (i32.const 0))
    (global.set $held (i64.const 0))
    (global.set $bits (i32.const 0)))

  (func $isSame (param $at i32) (param $before i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (global.get $rowBytes)))
    (loop $next
      (if (i32.ne (i32.load (local.get $at)) (i32.load (local.get $before))) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $before (i32.add (local.get $before) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32.const 1))

  ;; Finds the changing elements of a row: pixels that differ from their left neighbor, the first one being black.
  (func $findChanges (param $at i32)
    (local $end i32) (local $word i32) (local $before i32) (local $edges i32) (local $pixel i32) (local $to i32)
    (local $offset i32)
    (local.set $end (i32.add (local.get $at) (global.get $rowBytes)))
    (local.set $to (global.get $row))
    (loop $words
      (local.set $word (i32.load (local.get $at)))
      (local.set $edges
        (i32.xor (local.get $word)
          (i32.or (i32.shr_u (local.get $word) (i32.const 1)) (i32.shl (local.get $before) (i32.const 31)))))
      (local.set $before (local.get $word))
      (if (local.get $edges)
        (then
          (loop $bits
            (local.set $offset (i32.clz (local.get $edges)))
            (i32.store (local.get $to) (i32.add (local.get $pixel) (local.get $offset)))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (br_if $bits
              (local.tee $edges
                (i32.and (local.get $edges) (i32.shr_u (i32.const 0x7fffffff) (local.get $offset))))))))
      (local.set $pixel (i32.add (local.get $pixel) (i32.const 32)))
      (br_if $words
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))
    ;; The padding after a black run that touches the edge of the page looks like one more change there.
    (if (i32.gt_u (local.get $to) (global.get $row))
      (then
        (if (i32.eq (i32.load (i32.sub (local.get $to) (i32.const 4))) (global.get $width))
          (then (local.set $to (i32.sub (local.get $to) (i32.const 4)))))))
    (i32.store (local.get $to) (global.get $width))
    (i32.store offset=4 (local.get $to) (global.get $width))
    (i32.store offset=8 (local.get $to) (global.get $width))
    (global.set $changes (i32.shr_u (i32.sub (local.get $to) (global.get $row)) (i32.const 2))))

  ;; Puts up to 32 bits behind those held, and whole words to $out; returns where the next one goes.
  (func $put (param $value i32) (param $size i32) (param $out i32) (result i32)
    (global.set $held
      (i64.or
        (i64.shl (global.get $held) (i64.extend_i32_u (local.get $size)))
        (i64.extend_i32_u (local.get $value))))
    (global.set $bits (i32.add (global.get $bits) (local.get $size)))
    (if (i32.ge_u (global.get $bits) (i32.const 32))
      (then
        (global.set $bits (i32.sub (global.get $bits) (i32.const 32)))
        (i32.store (local.get $out)
          (i32.wrap_i64 (i64.shr_u (global.get $held) (i64.extend_i32_u (global.get $bits)))))
        (return (i32.add (local.get $out) (i32.const 4)))))
    (local.get $out))

  (func $putCode (param $code i32) (param $out i32) (result i32)
    (call $put
      (i32.shr_u (local.get $code) (i32.const 4)) (i32.and (local.get $code) (i32.const 15)) (local.get $out)))

  ;; A run by the table of its color: terminating codes of 0 to 63, make-up codes of 64 to 2560.
  (func $putRun (param $table i32) (param $length i32) (param $out i32) (result i32)
    (loop $long
      (if (i32.ge_u (local.get $length) (i32.const 2624))
        (then
          (local.set $out (call $putCode (i32.load offset=412 (local.get $table)) (local.get $out)))
          (local.set $length (i32.sub (local.get $length) (i32.const 2560)))
          (br $long))))
    (if (i32.ge_u (local.get $length) (i32.const 64))
      (then
        (local.set $out
          (call $putCode
            (i32.load offset=252
              (i32.add (local.get $table)
                (i32.shl (i32.shr_u (local.get $length) (i32.const 6)) (i32.const 2))))
            (local.get $out)))))
    (call $putCode
      (i32.load
        (i32.add (local.get $table) (i32.shl (i32.and (local.get $length) (i32.const 63)) (i32.const 2))))
      (local.get $out)))

  ;; Codes a row by the one above from their changing elements.
  (func $codeRow (param $modes i32) (param $white i32) (param $black i32) (param $out i32) (result i32)
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $b1 i32) (local $next i32) (local $b i32) (local $code i32)
    (local $held i64) (local $bits i32) (local $isBlack i32)
    (local.set $a0 (i32.const -1))
    (local.set $next (global.get $row))
    (local.set $b (global.get $above))
    (local.set $held (global.get $held))
    (local.set $bits (global.get $bits))
    (loop $elements
      (local.set $a1 (i32.load (local.get $next)))
      ;; b1 is the first change above, right of a0, toward the color a1 changes to: same parity as $next.
      (loop $right
        (if (i32.le_s (local.tee $b1 (i32.load (local.get $b))) (local.get $a0))
          (then
            (local.set $b (i32.add (local.get $b) (i32.const 8)))
            (br $right))))
      (block $coded
        (block $horizontal
          (if (i32.lt_s (i32.load offset=4 (local.get $b)) (local.get $a1))
            (then
              (local.set $a0 (i32.load offset=4 (local.get $b)))
              (local.set $code (i32.load offset=28 (local.get $modes))))
            (else
              (br_if $horizontal
                (i32.gt_u
                  (local.tee $code (i32.add (i32.sub (local.get $a1) (local.get $b1)) (i32.const 3)))
                  (i32.const 6)))
              (local.set $code
                (i32.load (i32.add (local.get $modes) (i32.shl (local.get $code) (i32.const 2)))))
              (local.set $a0 (local.get $a1))
              (local.set $next (i32.add (local.get $next) (i32.const 4)))
              (local.set $b
                (select
                  (i32.sub (local.get $b) (i32.const 4))
                  (i32.add (local.get $b) (i32.const 4))
                  (i32.gt_u (local.get $b) (global.get $above))))))
          (local.set $held
            (i64.or
              (i64.shl (local.get $held) (i64.extend_i32_u (i32.and (local.get $code) (i32.const 15))))
              (i64.extend_i32_u (i32.shr_u (local.get $code) (i32.const 4)))))
          (local.set $bits (i32.add (local.get $bits) (i32.and (local.get $code) (i32.const 15))))
          (br_if $coded (i32.lt_u (local.get $bits) (i32.const 32)))
          (local.set $bits (i32.sub (local.get $bits) (i32.const 32)))
          (i32.store (local.get $out)
            (i32.wrap_i64 (i64.shr_u (local.get $held) (i64.extend_i32_u (local.get $bits)))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (br $coded))
        (global.set $held (local.get $held))
        (global.set $bits (local.get $bits))
        (local.set $isBlack
          (i32.and (i32.shr_u (i32.sub (local.get $next) (global.get $row)) (i32.const 2)) (i32.const 1)))
        (local.set $a2 (i32.load offset=4 (local.get $next)))
        (local.set $out (call $putCode (i32.load offset=32 (local.get $modes)) (local.get $out)))
        (local.set $out
          (call $putRun
            (select (local.get $black) (local.get $white) (local.get $isBlack))
            (i32.sub (local.get $a1)
              (select (local.get $a0) (i32.const 0) (i32.gt_s (local.get $a0) (i32.const 0))))
            (local.get $out)))
        (local.set $out
          (call $putRun
            (select (local.get $white) (local.get $black) (local.get $isBlack))
            (i32.sub (local.get $a2) (local.get $a1))
            (local.get $out)))
        (local.set $held (global.get $held))
        (local.set $bits (global.get $bits))
        (local.set $a0 (local.get $a2))
        (local.set $next (i32.add (local.get $next) (i32.const 8))))
      (br_if $elements (i32.lt_s (local.get $a0) (global.get $width))))
    (global.set $held (local.get $held))
    (global.set $bits (local.get $bits))
    (local.get $out))

  ;; Codes $rows rows; the one before them, which they are coded by, stands at $before. Tables: $modes holds vertical -3 to
  ;; 3, pass and horizontal; $white and $black runs. Words go to $out, the first bit highest; returns where they end.
  (func (export "code")
    (param $before i32) (param $rows i32) (param $modes i32) (param $white i32) (param $black i32) (param $out i32)
    (result i32)
    (local $at i32) (local $left i32) (local $some i32)
    (loop $down
      (local.set $at (i32.add (local.get $before) (global.get $rowBytes)))
      (if (call $isSame (local.get $at) (local.get $before))
        (then
          ;; V0, which is one bit, for each change and for the end.
          (local.set $left (i32.add (global.get $changes) (i32.const 1)))
          (loop $ones
            (local.set $some
              (select (local.get $left) (i32.const 31) (i32.lt_u (local.get $left) (i32.const 31))))
            (local.set $out
              (call $put
                (i32.sub (i32.shl (i32.const 1) (local.get $some)) (i32.const 1)) (local.get $some) (local.get $out)))
            (br_if $ones (local.tee $left (i32.sub (local.get $left) (local.get $some))))))
        (else
          (call $findChanges (local.get $at))
          (local.set $out
            (call $codeRow (local.get $modes) (local.get $white) (local.get $black) (local.get $out)))
          (local.set $some (global.get $above))
          (global.set $above (global.get $row))
          (global.set $row (local.get $some))))
      (local.set $before (local.get $at))
      (br_if $down (local.tee $rows (i32.sub (local.get $rows) (i32.const 1)))))
    (local.get $out))

  ;; Ends a page with a code twice and fills the last word with zeros; returns how many bits of it count.
  (func (export "end") (param $code i32) (param $out i32) (result i32)
    (local $bits i32)
    (local.set $out (call $putCode (local.get $code) (local.get $out)))
    (local.set $out (call $putCode (local.get $code) (local.get $out)))
    (local.set $bits (global.get $bits))
    (drop (call $put (i32.const 0) (i32.sub (i32.const 32) (local.get $bits)) (local.get $out)))
    (i32.add (i32.shl (local.get $out) (i32.const 3)) (local.get $bits))))
