@echo off
rem Sandtable in this checkout, on Windows: sets itself up on first use, then is the `sandtable` command.
rem What is set up, and when it is done anew, is in src\sandtable\cli\bootstrap.py.
setlocal
for %%P in (python py) do (
    %%P -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && (
        %%P "%~dp0src\sandtable\cli\bootstrap.py" %*
        exit /b
    )
)
echo sandtable: Python 3.11 or later is needed and was not found on the path 1>&2
exit /b 1
